import Foundation

/// What the files of a conversation hold, in the order of its segments.
struct Conversation {
    let records: [String]

    init(_ scratch: Scratch, _ name: String) {
        records = scratch.names("conversations/\(name)").filter { $0.hasPrefix("messages-") }.flatMap { file in
            scratch.text("conversations/\(name)/\(file)").split(separator: "\n").map(String.init)
        }
    }

    /// Of its messages.
    var texts: [String] {
        records.compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["text"] as? String
        }
    }
}
