import ArgumentParser
import Glibc
import Messages
import Mirror
import Usage

struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a message.",
        discussion: """
            Prints the link of the new message. The sender is the person of --as, else of the config, else of the archive. \
            A link instead of a conversation names the message to reply to, as --reply-to does; a reply to a message of a \
            thread goes into the thread. /me makes an action of the text; other words after a slash are refused, since Kedge \
            has no such commands, and //word sends /word.

              kedge send general See you there.
              kedge send general/m-001500 -- "-1 from me"
              kedge send general /me waves
              make 2>&1 | tail -5 | kedge send builds -

            Exit status 0 when the message was sent, even if its link cannot be printed (stderr says so); 4 when it \
            was not sent.
            """)

    /// Number of tries when an error is only transient. All use one ID, so that the message cannot arrive twice.
    private static let tries = 3
    /// More bytes than an archive accepts in one text.
    private static let mostBytes = 64 << 20

    @OptionGroup var options: ArchiveOptions
    @OptionGroup var person: PersonOptions

    @Argument(
        help: ArgumentHelp("The conversation, or the message to reply to.", valueName: "conversation[/message-id]"))
    var link: String

    @Argument(help: ArgumentHelp("The text; - takes it from stdin, without its last line feed.", valueName: "text"))
    var words: [String]

    @Option(help: ArgumentHelp("The message to reply to.", valueName: "message-id"))
    var replyTo: String?

    @Option(help: ArgumentHelp("The message whose thread it belongs to.", valueName: "message-id"))
    var thread: String?

    func run() throws {
        var options = self.options
        let wanted = try options.resolve(self.link)
        guard wanted.message == nil || replyTo == nil else {
            throw CommandError(.usage, "name one message to reply to: by a link or by --reply-to")
        }
        let (text, isAction) =
            try words == ["-"] ? (Send.readText(), false) : Send.text(of: words.joined(separator: " "))
        let opened = try options.opened(
            me: try person.identify(in: options, needsSomebody: true).identity, isServed: true)
        let (store, link) = (opened.store, try Send.link(wanted, in: opened))
        if let export = opened.mirror { throw CommandError(.notSent, export.advice) }
        let replyTo = link.message ?? self.replyTo.map { MessageID($0) }
        let thread = self.thread.map { MessageID($0) }
        do {
            let echo = opened.isServed ? ServerEcho(changes: store.changes(in: link.conversation, since: nil)) : nil
            let id = try waiting { () async throws(StoreError) in
                if let echo {
                    _ = store.preparation()
                    if let absence = await echo.absence() { throw .notSent(absence) }
                }
                let id = try await Send.send(
                    text, isAction: isAction, to: link.conversation, of: store, replyTo: replyTo, thread: thread)
                // A server gives it another ID.
                return echo == nil ? id : await echo?.id(of: id)
            }
            guard let id else {
                return Output.complain("the message was sent; its link is known when the server shows it")
            }
            Send.tell(Link(conversation: link.conversation, message: id))
        } catch let error as StoreError {
            // Opening the archive has worked, so whatever failed after that, the message was not sent.
            let isUnknown = CommandError(error).status == .nothingFound
            throw isUnknown ? CommandError(error) : CommandError(.notSent, error.description)
        }
    }

    /// The link with the ID of the conversation. When there is none, the error says how to make it.
    private static func link(_ link: Link, in opened: OpenedArchive) throws -> Link {
        do {
            return try opened.conversation(of: link).link
        } catch let error as StoreError {
            guard case .noSuchConversation(let id, _) = error, opened.mirror == nil, !id.rawValue.isEmpty else {
                throw error
            }
            let text = error.description
            let command = "kedge new \(ShellWord.quoted(id.rawValue.shortened))"
            throw CommandError(.nothingFound, text + (text.hasSuffix("?") ? " " : "; ") + "\(command) makes it")
        }
    }

    /// Prints the link. The exit status is about the message alone: an error here goes to stderr, so that nobody sends
    /// the message again.
    private static func tell(_ link: Link) {
        signal(SIGPIPE, SIG_IGN)
        do throws(CommandError) {
            try Output.print([Output.harmless(link.description)])
        } catch {
            Output.complain("the message was sent, as \(link), but \(error.text)")
        }
    }

    private static func send(
        _ text: String, isAction: Bool, to conversation: ConversationID,
        of store: any ConversationListing & MessageReading & MessagePosting, replyTo: MessageID?,
        thread: MessageID?
    ) async throws(StoreError) -> MessageID {
        if let obstacle = await store.obstacle(in: conversation) { throw .notSent(obstacle) }
        guard let me = store.me else { throw .notSent(Post.withoutSender) }
        let root = try await root(of: thread, replyTo, in: conversation, of: store)
        var random = SystemRandomNumberGenerator()
        let now = Timestamp.now
        let post = Post(
            id: MessageID(ULID.make(at: now, using: &random)), at: now, sender: me,
            content: .message(text: text, replyTo: replyTo, thread: root), isAction: isAction)
        for number in 1..<tries {
            do throws(StoreError) {
                try await store.send(post, to: conversation, isRetry: number > 1)
                return post.id
            } catch {
                guard error.isTransient else { throw error }
            }
        }
        try await store.send(post, to: conversation, isRetry: true)
        return post.id
    }

    /// The root of the thread for the message: that of the named thread, else of the thread of the message to reply to.
    private static func root(
        of thread: MessageID?, _ replyTo: MessageID?, in conversation: ConversationID, of store: any MessageReading
    ) async throws(StoreError) -> MessageID? {
        guard let id = thread ?? replyTo else { return nil }
        guard let root = try await store.message(id, in: conversation).thread else { return thread }
        do {
            return try await store.message(root, in: conversation).id
        } catch .noSuchMessage {
            // A reply whose root is missing stands in the main timeline, and so does the reply to it.
            return thread
        }
    }

    /// The message in words of the command line. The text of a pipe is never a command.
    private static func text(of typed: String) throws(CommandError) -> (text: String, isAction: Bool) {
        switch TypedText(typed) {
        case .message(let text): (text, false)
        case .action(let text): (text, true)
        case .command(let name): throw CommandError(.usage, TypedText.refusal(of: name))
        }
    }

    /// The whole of stdin.
    private static func readText() throws(CommandError) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandError(.notSent, "cannot read stdin: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= mostBytes else {
                throw CommandError(.notSent, "stdin holds more than \(mostBytes >> 20) MiB; send it in parts")
            }
        }
        if bytes.last == 0x0A { bytes.removeLast(bytes.dropLast().last == 0x0D ? 2 : 1) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.notSent, "stdin is not UTF-8; convert it first, for example with iconv")
        }
        return text
    }
}

/// The reports of a conversation's server while one message is sent to it.
struct ServerEcho {
    /// The changes in the conversation since before the message was sent.
    let changes: AsyncStream<[StoreChange]>

    /// The time limit for the server to report that it can be reached.
    static let greetingLimit = Duration.seconds(30)
    /// The time limit for the echo of a message, which the server has in any case.
    static let echoLimit = Duration.seconds(10)

    /// The reason why the server cannot be reached, in one line for people; nil if it can.
    func absence(limit: Duration = greetingLimit) async -> String? {
        let reach = await first(within: limit) { if case .reach(let reach) = $0 { reach } else { nil } }
        switch reach {
        case .online?: return nil
        case .offline(let reason)?: return "the server cannot be reached: \(reason)"
        case nil: return "the server does not respond"
        }
    }

    /// The ID of a post on the server; nil if it does not appear in time.
    func id(of post: MessageID, limit: Duration = echoLimit) async -> MessageID? {
        await first(within: limit) { change in
            if case .arrived(let message) = change, message.transaction == post { message.id } else { nil }
        }
    }

    /// The first value that a change yields.
    private func first<Value: Sendable>(
        within limit: Duration, _ value: @escaping @Sendable (StoreChange) -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { [changes] in
                for await some in changes { if let found = some.lazy.compactMap(value).first { return found } }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
