import Matrix

extension String {
    /// Calls `body` with the text as a server sends it.
    func asBody<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try Array(utf8).withUnsafeBytes(body)
    }
}

/// For responses that are short: they have one part.
extension SyncReader {
    func read(
        _ body: UnsafeRawBufferPointer, me: String = "", isInvited: (String) -> Bool = { _ in false },
        facts: (String) -> RoomFacts?
    ) -> SyncResponse? {
        var parts: [SyncResponse] = []
        let isRead = read(body, me: me, isInvited: isInvited, facts: facts, take: { parts.append($0) })
        return isRead && parts.count == 1 && parts.last?.isLast == true ? parts.first : nil
    }

    func readSliding(_ body: UnsafeRawBufferPointer) -> SyncResponse? {
        var parts = 0
        let page = readSliding(body, take: { _ in parts += 1 })
        return parts == 1 ? page : nil
    }
}
