import Messages

/// The files that the user wants to open, until they are here.
struct WantedFiles: Hashable, Sendable {
    /// With the number of bytes that have come; nil while nothing is known of a need to fetch it.
    private var received: [MessageFile: Int64?] = [:]
    /// The file that was asked for last.
    private var last: MessageFile?

    mutating func want(_ file: MessageFile) {
        last = file
        if received[file] == nil { received[file] = .some(nil) }
    }

    /// - Returns: false if nobody wants the file any more.
    mutating func note(_ bytes: Int64, of file: MessageFile) -> Bool {
        guard received[file] != nil else { return false }
        received[file] = bytes
        return true
    }

    /// - Returns: whether it had to be fetched; nil if nobody wants it any more.
    mutating func end(_ file: MessageFile) -> Bool? { received.removeValue(forKey: file).map { $0 != nil } }

    /// Gives up all files that are being fetched.
    mutating func giveUp() { received = received.filter { $0.value == nil } }

    /// The files that are being fetched, for the status line; nil if there are none.
    var status: String? {
        let coming = received.compactMap { file, bytes in bytes.map { (file, $0) } }
        guard let first = coming.first(where: { $0.0 == last }) ?? coming.first else { return nil }
        let others = coming.count > 1 ? " and \(coming.count - 1) more" : ""
        let share = Optional(first.0.attachment).share(first.1)
        return "fetching \(first.0.attachment.name)\(others)…" + (share.isEmpty ? "" : " \(share)")
    }
}

extension Attachment? {
    /// The part of a file that has come: `1.2 MB of 3.4 MB`. Empty as long as nothing has.
    func share(_ received: Int64) -> String {
        guard received > 0 else { return "" }
        return ByteCount.label(received) + (self?.size.map { $0 >= received ? " of \(ByteCount.label($0))" : "" } ?? "")
    }
}
