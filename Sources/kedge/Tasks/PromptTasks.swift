/// Runs each part of a task at once, on the thread that makes it ready to run. It is for tasks that only ask the store and
/// pass its reply on: such a task begins on the thread of its caller and ends on the thread of the store. Another executor
/// would have to start a third thread, and to wake it twice.
final class PromptTasks: TaskExecutor {
    static let shared = PromptTasks()

    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}
