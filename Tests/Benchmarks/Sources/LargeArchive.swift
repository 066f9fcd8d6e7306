import Archive
import Dispatch
import Foundation
import Logging
import Messages
import Synchronization

/// An archive with a number of messages in a temporary folder, written on first use.
final class LargeArchive {
    let count: Int
    private let folder: URL
    private lazy var store = Result { try open() }

    init(count: Int) {
        self.count = count
        folder = FileManager.default.temporaryDirectory.appending(path: "kedge-benchmarks-\(count)")
    }

    func page(_ position: PageRequest.Position, _ limit: Int) throws -> Page {
        let store = try store.get()
        let request = PageRequest(conversation: Talk.conversation.id, position: position, limit: limit)
        return try wait { try await store.page(request) }
    }

    /// A request that needs no reading.
    func askNothing() throws {
        let store = try store.get()
        _ = try wait { await store.problems() }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

extension LargeArchive {
    private func open() throws -> JSONArchive {
        remove()
        try write("archive.json", #"{"format":"kedge","version":1,"name":"Benchmarks"}"#)
        try write("people.json", "[" + (0..<23).map(person).joined(separator: ",\n") + "]")
        // Files of the size to which a program might rotate its logs.
        for (number, start) in stride(from: 0, to: count, by: 50_000).enumerated() {
            let lines = (start..<min(count, start + 50_000)).map(line).joined()
            try write("conversations/general/messages-\(String(format: "%06d", number + 1)).jsonl", lines)
        }
        return try JSONArchive.open(path: folder.path, logger: Logger(label: "benchmarks"))
    }

    private func write(_ name: String, _ text: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func person(_ number: Int) -> String { #"{"id":"p\#(number)","name":"Person \#(number)"}"# }

    /// A message, one in ten a reply; after one in fifty an edit of it or a reaction to it.
    private func line(_ index: Int) -> String {
        let id = Talk.id(index)
        let head = #""at":"\#(Talk.at(index).iso8601)","from":"\#(Talk.sender(index).id)""#
        let text = Talk.text(index).replacing("\n", with: #"\n"#)
        let answer = index % 10 == 9 ? #","replyTo":"\#(Talk.id(index - 4))""# : ""
        let message = #"{"type":"message","id":"\#(id)",\#(head),"text":"\#(text)"\#(answer)}"# + "\n"
        switch index % 100 {
        case 30:
            return message + #"{"type":"edit","id":"e\#(index)","target":"\#(id)",\#(head),"text":"*\#(text)"}"# + "\n"
        case 80:
            return message + #"{"type":"reaction","id":"r\#(index)","target":"\#(id)",\#(head),"emoji":"👍"}"# + "\n"
        default: return message
        }
    }
}

/// Waits for an asynchronous result. Blocks the thread.
private func wait<Answer: Sendable>(_ ask: @escaping @Sendable () async throws -> Answer) throws -> Answer {
    let result = Mutex<Result<Answer, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let answer = try await ask()
            result.withLock { $0 = .success(answer) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        isThere.signal()
    }
    isThere.wait()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("there is a result") }
    return try result.get()
}
