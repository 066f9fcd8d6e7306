import Interface
import Messages
import Synchronization
import Terminal
import Threads

/// Loads pictures on a thread of their own. Only the last one that was asked for is made.
final class PictureLoader: Sendable {
    private let store: any MessageReading
    private let mailbox: Mailbox
    private let maker: PictureMaker
    private let thread = SerialThread()
    private let wanted = Mutex(0)

    init(store: any MessageReading, mailbox: Mailbox, maker: PictureMaker = PictureMaker()) {
        (self.store, self.mailbox, self.maker) = (store, mailbox, maker)
    }

    /// Does not wait. `.picture` brings the result.
    func load(_ request: PictureRequest, for support: PictureSupport) {
        wanted.withLock { $0 = request.number }
        Task.detached(executorPreference: WorkThread.tasks) { [self] in
            do throws(StoreError) {
                let path = try await store.location(of: request.file) { [mailbox] received in
                    mailbox.post(.pictureComing(request.number, received: received))
                }
                thread.run { [self] in make(request, path, support) }
            } catch {
                mailbox.post(.pictureFailed(request.number, error))
            }
        }
    }

    private func make(_ request: PictureRequest, _ path: String, _ support: PictureSupport) {
        guard wanted.withLock({ $0 == request.number }) else { return }
        let result = Result { () throws(PictureFailure) in
            try maker.picture(path, number: request.number, room: request.room, for: support)
        }
        mailbox.post(.picture(request.number, result))
    }
}
