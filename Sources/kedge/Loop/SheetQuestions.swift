import Interface
import Messages
import Threads

/// Asks the store for what an open sheet wants to know.
final class SheetQuestions: Sendable {
    private let store: any MessageStore
    private let mailbox: Mailbox

    init(store: any MessageStore, mailbox: Mailbox) {
        self.store = store
        self.mailbox = mailbox
    }

    /// - Parameter sheet: the number of the sheet that gets the reply.
    func ask(_ question: SheetQuestion, for sheet: Int) {
        Task.detached(executorPreference: WorkThread.tasks) { [self] in
            switch question {
            case .page(let request): tell(sheet, .page(await store.answer(request)))
            case .messages(let wanted):
                for (id, messages) in wanted { tell(sheet, .messages(id, await find(messages, in: id))) }
            }
        }
    }

    private func tell(_ sheet: Int, _ answer: SheetAnswer) { mailbox.post(.sheet(sheet, answer)) }

    private func find(_ ids: Set<MessageID>, in id: ConversationID) async -> Result<[Message], StoreError> {
        do throws(StoreError) { return .success(try await store.messages(ids, in: id)) } catch {
            return .failure(error)
        }
    }
}
