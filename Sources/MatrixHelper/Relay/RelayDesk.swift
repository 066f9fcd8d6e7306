internal import Relay

/// Speaks to the Kedges that are connected: responses to their requests, and whether the server can be reached.
struct RelayDesk {
    typealias Send = @Sendable (_ news: RelayNews, _ client: Int?) -> Void

    private let send: Send
    /// The rooms of which clients want to know who has read how far.
    private var followed: [Int: Set<String>] = [:]
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

    /// Tells one Kedge something.
    func note(_ news: RelayNews, for client: Int) { send(news, client) }

    mutating func follow(_ room: String, isOn: Bool, _ client: Int) {
        if isOn { followed[client, default: []].insert(room) } else { followed[client]?.remove(room) }
    }

    /// The connection of a client has ended.
    mutating func forget(_ client: Int) { followed[client] = nil }

    func isFollowed(_ room: String) -> Bool { followed.values.contains { $0.contains(room) } }

    func followers(of room: String) -> [Int] { followed.filter { $0.value.contains(room) }.keys.sorted() }

    /// Tells all Kedges whether the server can be reached, if that is new.
    mutating func note(isOnline: Bool, reason: String = "") {
        let state = RelayNews.state(isOnline: isOnline, reason: reason)
        guard state != self.state else { return }
        self.state = state
        send(state, nil)
    }
}
