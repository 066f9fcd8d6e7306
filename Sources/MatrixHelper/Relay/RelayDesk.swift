internal import Relay

/// Speaks to the Kedges that are connected: responses to their requests, and whether the server can be reached.
struct RelayDesk {
    typealias Send = @Sendable (_ news: RelayNews, _ client: Int?) -> Void

    private let send: Send
    /// Nil before the server was asked for the first time.
    private var state: RelayNews?

    /// Whether the server responded to the last request for news.
    var isOnline: Bool { state == .state(isOnline: true, reason: "") }

    init(_ send: @escaping Send) { self.send = send }

    func respond(_ response: RelayResponse, to asker: Asker) {
        send(.response(asker.number, response), asker.client)
    }

    /// Tells how many bytes of a file have come.
    func note(_ received: Int64, for asker: Asker) {
        send(.progress(asker.number, received: received), asker.client)
    }

    func welcome(_ asker: Asker) {
        respond(.version(RelayRequest.version), to: asker)
        if let state { send(state, asker.client) }
    }

    /// Tells all Kedges something for which none of them has asked.
    func note(_ news: RelayNews) { send(news, nil) }

    /// Tells all Kedges whether the server can be reached, if that is new.
    mutating func note(isOnline: Bool, reason: String = "") {
        let state = RelayNews.state(isOnline: isOnline, reason: reason)
        guard state != self.state else { return }
        self.state = state
        send(state, nil)
    }
}
