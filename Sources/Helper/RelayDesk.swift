package import Messages
package import Relay

/// Talks to the connected Kedges: responses to their requests, and the state of the connection to the server.
package struct RelayDesk {
    package typealias Send = @Sendable (_ news: RelayNews, _ client: Int?) -> Void

    private let send: Send
    /// The rooms whose receipts each client wants.
    private var followed: [Int: Set<String>] = [:]
    /// The state of the connection to the server; nil before the first request.
    private var reach: StoreReach?

    /// True if the server responded to the last request for new events.
    package var isOnline: Bool { reach == .online }

    package init(_ send: @escaping Send) { self.send = send }

    /// Sends a response to the Kedge that made the request.
    package func respond<Value>(_ value: Value, to promise: Promise<Value>) {
        send(.response(promise.asker.number, value.response), promise.asker.client)
    }

    /// Reports to a Kedge that its request has failed and has had no effect.
    package func refuse(_ asker: Asker, _ error: RelayError) {
        send(.response(asker.number, .failed(reason: error.reason, retry: error.retry)), asker.client)
    }

    /// Reports to a client how many bytes of the requested file have been received.
    package func note(_ received: Int64, for asker: Asker) {
        send(.progress(asker.number, received: received), asker.client)
    }

    /// Sends a new Kedge the version of the protocol, and the state of the connection to the server.
    package func welcome(_ asker: Asker) {
        send(.response(asker.number, .version(RelayRequest.version)), asker.client)
        if let reach { send(.reach(reach), asker.client) }
    }

    /// Sends all Kedges a message that answers no request.
    package func note(_ news: RelayNews) { send(news, nil) }

    /// Sends one Kedge a message.
    package func note(_ news: RelayNews, for client: Int) { send(news, client) }

    /// Starts or stops reporting a room's receipts to a client.
    package mutating func follow(_ room: String, isOn: Bool, _ client: Int) {
        if isOn { followed[client, default: []].insert(room) } else { followed[client]?.remove(room) }
    }

    /// Call this when the connection of a client has ended.
    package mutating func forget(_ client: Int) { followed[client] = nil }

    package func isFollowed(_ room: String) -> Bool { followed.values.contains { $0.contains(room) } }

    package func followers(of room: String) -> [Int] { followed.filter { $0.value.contains(room) }.keys.sorted() }

    /// Reports to all Kedges a change of the connection to the server.
    package mutating func note(_ reach: StoreReach) {
        guard reach != self.reach else { return }
        self.reach = reach
        send(.reach(reach), nil)
    }
}
