import Messages

/// The reports of a conversation's server while one message is sent to it.
struct ServerEcho {
    /// The changes in the conversation since before the message was sent.
    let changes: AsyncStream<[StoreChange]>

    /// How long the server may take to say that it can be reached.
    static let greetingLimit = Duration.seconds(30)
    /// How long the echo of a message may take, which the server has in any case.
    static let echoLimit = Duration.seconds(10)

    /// Why the server cannot be reached, in one line for people; nil if it can.
    func absence(limit: Duration = greetingLimit) async -> String? {
        let reach = await first(within: limit) { if case .reach(let reach) = $0 { reach } else { nil } }
        switch reach {
        case .online?: return nil
        case .offline(let reason)?: return "the server cannot be reached: \(reason)"
        case nil: return "the server does not respond"
        }
    }

    /// The ID that the server has given to a post; nil if it does not appear in time.
    func id(of post: MessageID, limit: Duration = echoLimit) async -> MessageID? {
        await first(within: limit) { change in
            if case .arrived(let message) = change, message.transaction == post { message.id } else { nil }
        }
    }

    /// The first value that a change has.
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
