import Messages

/// The files that the user wants to open, until they are here.
struct WantedFiles: Hashable, Sendable {
    private struct Fetch: Hashable, Sendable {
        /// The bytes that have come; nil while nothing is known of a need to fetch it.
        var received: Int64?
        var retries = Retries()
        /// Whether it is not here at once, so that the status line names it.
        var isSlow: Bool { received != nil || retries.count > 0 }
    }

    private var fetches: [MessageFile: Fetch] = [:]
    /// The file that was asked for last.
    private var last: MessageFile?

    mutating func want(_ file: MessageFile) {
        last = file
        if fetches[file] == nil { fetches[file] = Fetch() }
    }

    /// - Returns: false if nobody wants the file any more.
    mutating func note(_ bytes: Int64, of file: MessageFile) -> Bool {
        guard fetches[file] != nil else { return false }
        fetches[file]?.received = bytes
        return true
    }

    /// - Returns: whether it had to be fetched; nil if nobody wants it any more.
    mutating func end(_ file: MessageFile) -> Bool? { fetches.removeValue(forKey: file).map(\.isSlow) }

    /// A try has failed.
    /// - Returns: the effect that leads to the next try; nil when there is none.
    mutating func fail(_ file: MessageFile, _ error: StoreError) -> Effect? {
        fetches[file]?.retries.fail(error, .file(file))
    }

    /// The next try begins.
    /// - Returns: false if nobody wants the file any more.
    mutating func retry(_ file: MessageFile) -> Bool {
        fetches[file]?.retries.begin()
        return fetches[file] != nil
    }

    /// Gives up all files that are being fetched.
    mutating func giveUp() { fetches = fetches.filter { !$0.value.isSlow } }

    /// The files that are being fetched, for the status line; nil if there are none.
    var status: String? {
        let slow = fetches.filter(\.value.isSlow)
        guard let first = slow.first(where: { $0.key == last }) ?? slow.first else { return nil }
        let name = first.key.attachment.name
        let others = slow.count > 1 ? " and \(slow.count - 1) more" : ""
        if let reason = first.value.retries.reason {
            return "\(name)\(others) did not come · \(first.value.retries.words) · \(reason)"
        }
        let share = Optional(first.key.attachment).share(first.value.received ?? 0)
        return "fetching \(name)\(others)…" + (share.isEmpty ? "" : " \(share)")
    }
}

extension Attachment? {
    /// The part of a file that has come: `1.2 MB of 3.4 MB`. Empty as long as nothing has.
    func share(_ received: Int64) -> String {
        guard received > 0 else { return "" }
        return ByteCount.label(received) + (self?.size.map { $0 >= received ? " of \(ByteCount.label($0))" : "" } ?? "")
    }
}
