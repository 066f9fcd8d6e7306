package import Formats
internal import JSON

/// A request to a homeserver, as a value.
package struct MatrixRequest: Hashable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    package let method: Method
    /// The parts of the path, not escaped: `["_matrix", "client", "v3", "rooms", "!a/b"]`.
    package let path: [String]
    package let query: [Parameter]
    /// JSON; nil without a body.
    package let body: [UInt8]?
    /// True if the access token is sent with it.
    package let isAuthorized: Bool
    /// The time limit for the whole request, in milliseconds.
    package let limit: Int
    /// In seconds: the request fails after so long with hardly a byte; nil for no such limit.
    package var longestSilence: Int?
    /// In bytes: a longer response is rejected.
    package let longestResponse: Int

    /// A parameter of the query, not escaped.
    package struct Parameter: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    init(
        _ method: Method, _ path: [String], query: [(String, String?)] = [], body: JSONText? = nil,
        isAuthorized: Bool = true, limit: Int = 60_000, longestResponse: Int = 4 << 20
    ) {
        self.method = method
        self.path = path
        self.query = query.compactMap { name, value in value.map { Parameter(name: name, value: $0) } }
        self.body = body?.bytes
        self.isAuthorized = isAuthorized
        self.limit = limit
        self.longestResponse = longestResponse
    }

    /// The URL at a server.
    /// - Parameter base: `https://matrix.example.org`, without a slash at its end.
    package func address(at base: String) -> String {
        var address = base + "/" + path.map(Percent.encoded).joined(separator: "/")
        if !query.isEmpty {
            address +=
                "?"
                + query.map { "\(Percent.encoded($0.name))=\(Percent.encoded($0.value))" }.joined(separator: "&")
        }
        return address
    }
}

/// Requests that discover a server, and begin and end a session.
extension MatrixRequest {
    /// Asks the domain of an ID for its homeserver.
    package static let wellKnown = MatrixRequest(
        .get, [".well-known", "matrix", "client"], isAuthorized: false, longestResponse: 64 << 10)

    /// Asks for the ways to log in.
    package static let loginFlows = MatrixRequest(
        .get, client + ["login"], isAuthorized: false, longestResponse: 1 << 20)

    /// - Parameter device: the previous ID of this device, by which the server recognises its transactions: posts that
    ///   are repeated after the login are then not sent twice. Nil for a new device.
    package static func login(
        user: String, password: String, device: String? = nil, name: String
    ) -> MatrixRequest {
        login([
            "type": "m.login.password", "identifier": ["type": "m.id.user", "user": JSONText(user)],
            "password": JSONText(password), "device_id": JSONText(ifAny: device),
            "initial_device_display_name": JSONText(name),
        ])
    }

    /// - Parameter token: the token from a login in the browser.
    package static func login(token: String, device: String? = nil, name: String) -> MatrixRequest {
        login([
            "type": "m.login.token", "token": JSONText(token), "device_id": JSONText(ifAny: device),
            "initial_device_display_name": JSONText(name),
        ])
    }

    private static func login(_ body: JSONText) -> MatrixRequest {
        MatrixRequest(.post, client + ["login"], body: body, isAuthorized: false, longestResponse: 1 << 20)
    }

    /// The address where a browser begins a login; it ends at `redirect`, with the parameter `loginToken`.
    package static func browserLogin(redirect: String) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["login", "sso", "redirect"], query: [("redirectUrl", redirect)], isAuthorized: false)
    }

    /// Asks for the owner of the token.
    package static let whoAmI = MatrixRequest(.get, client + ["account", "whoami"], longestResponse: 1 << 20)

    package static let logout = MatrixRequest(
        .post, client + ["logout"], body: [:], longestResponse: 1 << 20)
}

/// Requests for events.
extension MatrixRequest {
    private static let client = ["_matrix", "client", "v3"]
    /// The longest responses with events, in bytes. For an account of thousands of rooms the first one has some hundred megabytes at
    /// most: it is read from a file, a part at a time. Where a page is too long, a smaller one is asked for.
    private static let longestSync = 512 << 20
    private static let longestPage = 8 << 20

    /// The most events of a room in a response of /sync: the newest ones.
    package static let timelineLimit = 50

    /// - Parameter hasPeople: true to receive who is typing, and how far people have read.
    private static func filter(hasPeople: Bool) -> JSONText {
        [
            "room": [
                "timeline": ["limit": JSONText(timelineLimit), "lazy_load_members": true], "state": knownMembers,
                "ephemeral": hasPeople ? ["types": ["m.typing", "m.receipt"]] : nothing,
                "account_data": ["types": ["m.fully_read"]],
            ],
            "presence": nothing, "account_data": nothing,
        ]
    }

    /// The filter that lets no event through.
    private static let nothing: JSONText = ["not_types": ["*"]]
    /// Limits the members to the authors of the requested events.
    private static let knownMembers: JSONText = ["lazy_load_members": true]

    /// Asks for new events.
    /// - Parameters:
    ///   - since: the token from the previous response; nil for the first request.
    ///   - wait: the time that the server waits for new events, in milliseconds.
    ///   - hasPeople: true to receive who is typing and how far people have read: the server responds to each change.
    package static func sync(since: String?, wait: Int, hasPeople: Bool = false) -> MatrixRequest {
        let wait = since == nil ? 0 : wait
        return MatrixRequest(
            .get, client + ["sync"],
            query: [("filter", filter(hasPeople: hasPeople).text), ("since", since), ("timeout", "\(wait)")],
            // The first response may take the server minutes.
            limit: since == nil ? 1_200_000 : wait + 180_000, longestResponse: longestSync)
    }

    /// Asks for the events before a token, the newest first, or for those after it, the oldest first.
    /// - Parameter end: the token at which to stop; nil to go to the beginning of the room.
    package static func messages(
        room: String, _ direction: FillDirection, from: String, to end: String?, limit: Int
    ) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["rooms", room, "messages"],
            query: [
                ("dir", direction.rawValue), ("from", from), ("to", end), ("limit", "\(limit)"),
                ("filter", knownMembers.text),
            ], limit: 300_000, longestResponse: longestPage)
    }

    /// Asks for an event and those around it.
    /// - Parameter limit: the number of events around it.
    package static func context(room: String, event: String, limit: Int) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["rooms", room, "context", event],
            query: [("limit", "\(limit)"), ("filter", knownMembers.text)], longestResponse: longestPage)
    }

    /// Asks for the newest reactions to an event: one page of the server.
    package static func reactions(room: String, event: String) -> MatrixRequest {
        MatrixRequest(
            .get, ["_matrix", "client", "v1", "rooms", room, "relations", event, "m.annotation", "m.reaction"],
            query: [("limit", "100")])
    }

    /// Asks for the tokens on both sides of an event.
    package static func tokens(room: String, event: String) -> MatrixRequest {
        MatrixRequest(.get, client + ["rooms", room, "context", event], query: [("limit", "0")])
    }
}

/// Requests for the first view of an account: the newest rooms before all others.
extension MatrixRequest {
    /// Asks for a token after which everything is new; the response holds no room.
    package static let syncToken: MatrixRequest = {
        let filter: JSONText = ["room": ["rooms": []], "presence": nothing, "account_data": nothing]
        return MatrixRequest(
            .get, client + ["sync"], query: [("filter", filter.text), ("timeout", "0")], limit: 180_000,
            longestResponse: 16 << 20)
    }()

    /// The state events for the facts about a room, and the members who have written.
    private static let slidingState: JSONText = [
        ["m.room.create", ""], ["m.room.name", ""], ["m.room.topic", ""], ["m.room.canonical_alias", ""],
        ["m.room.encryption", ""], ["m.room.power_levels", ""], ["m.room.tombstone", ""], ["m.space.child", "*"],
        ["m.room.member", "$LAZY"], ["m.room.member", "$ME"],
    ]

    /// Asks for the newest rooms by simplified sliding sync (MSC4186).
    /// - Parameters:
    ///   - count: the number of rooms; those of earlier responses come again only if they have changed.
    ///   - pos: the token from the previous response; nil for the first request.
    ///   - hasPeople: true to receive how far people have read.
    package static func slidingSync(rooms count: Int, pos: String?, hasPeople: Bool = false) -> MatrixRequest {
        let body: JSONText = [
            "conn_id": "kedge",
            "lists": [
                "all": [
                    "ranges": [[0, JSONText(max(count, 1) - 1)]], "timeline_limit": JSONText(timelineLimit),
                    "required_state": slidingState,
                ]
            ],
            "extensions": ["account_data": ["enabled": true], "receipts": hasPeople ? ["enabled": true] : nil],
        ]
        return MatrixRequest(
            .post, ["_matrix", "client", "unstable", "org.matrix.simplified_msc3575", "sync"],
            query: [("pos", pos), ("timeout", "0")], body: body, limit: 600_000,
            longestResponse: 512 << 20)
    }
}

/// Requests for files.
extension MatrixRequest {
    /// The longest file to fetch, in bytes.
    package static let longestFile = 256 << 20

    /// Asks for a file.
    package static func media(_ address: MediaAddress) -> MatrixRequest {
        MatrixRequest(
            .get, ["_matrix", "client", "v1", "media", "download", address.server, address.media], limit: 1_800_000,
            longestResponse: longestFile)
    }

    /// Asks for a file in the form from before 2024. It is public, so no token is sent, and redirects are followed.
    package static func oldMedia(_ address: MediaAddress) -> MatrixRequest {
        MatrixRequest(
            .get, ["_matrix", "media", "v3", "download", address.server, address.media], isAuthorized: false,
            limit: 1_800_000, longestResponse: longestFile)
    }
}

/// Requests that begin and end a membership.
extension MatrixRequest {
    /// Joins a room, with or without an invitation.
    /// - Parameter address: the room, with servers that help those of other rooms to find it.
    package static func join(_ address: RoomAddress) -> MatrixRequest {
        // Earlier servers know the parameter by its earlier name.
        let servers = ["via", "server_name"].flatMap { name in address.via.map { (name, Optional($0)) } }
        // A room of another server is joined only when that server has sent its members.
        return MatrixRequest(
            .post, client + ["join", address.room], query: servers, body: [:], limit: 600_000,
            longestResponse: 1 << 20)
    }

    /// Leaves a room, or declines an invitation to it.
    package static func leave(_ room: String) -> MatrixRequest {
        MatrixRequest(.post, client + ["rooms", room, "leave"], body: [:], longestResponse: 1 << 20)
    }

    /// Asks for the members of a room.
    package static func members(_ room: String) -> MatrixRequest {
        MatrixRequest(.get, client + ["rooms", room, "joined_members"], limit: 300_000, longestResponse: 64 << 20)
    }

    /// The largest rooms have some 100,000 members.
    private static let mostMembers = 250_000

    /// The members of a room, with their names, by their IDs; nil for any other response.
    package static func members(_ body: UnsafeRawBufferPointer) -> [ForeignPerson]? {
        guard let joined = LongJSON(document: body, by: JSONTree())?["joined"], joined.isObject else { return nil }
        var people: [ForeignPerson] = []
        for (id, value) in joined.fields.lazy.filter({ UserID.isValid($0.name) }).prefix(mostMembers) {
            people.append(ForeignPerson(id: id, name: value.value?["display_name"]?.string?.visibleName ?? id))
        }
        return people.sorted { $0.id < $1.id }
    }

    /// Asks for the spaces, their rooms, and the successors of rooms. The response also has the invitations, but no
    /// messages and no members.
    package static let roomRelations: MatrixRequest = {
        let relations = filter(state: [
            "types": [
                "m.room.create", "m.room.name", "m.room.canonical_alias", "m.room.tombstone", "m.space.child",
                "m.space.parent",
            ]
        ])
        return MatrixRequest(
            .get, client + ["sync"], query: [("filter", relations.text), ("timeout", "0")], limit: 1_200_000,
            longestResponse: 512 << 20)
    }()

    /// The filter that lets only this state through.
    private static func filter(state: JSONText) -> JSONText {
        [
            "room": [
                "timeline": ["limit": 1, "not_types": ["*"]], "state": state, "ephemeral": nothing,
                "account_data": nothing,
            ],
            "presence": nothing, "account_data": nothing,
        ]
    }

    /// Asks for the invitations to rooms. The response holds next to nothing of other rooms.
    /// - Parameter wait: in milliseconds; any number below 1,000. Synapse repeats its response to the same request for
    ///   two minutes, so no two requests may be the same. It does not wait before a first response.
    package static func invitations(wait: Int) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["sync"], query: [("filter", filter(state: nothing).text), ("timeout", "\(wait)")],
            limit: 600_000, longestResponse: 64 << 20)
    }
}

extension MatrixRequest {
    /// Searches for messages, the newest first.
    /// - Parameters:
    ///   - room: nil for all rooms.
    ///   - token: the token from the last page; nil for the first one.
    package static func search(_ words: String, room: String?, limit: Int, from token: String?) -> MatrixRequest {
        let filter: JSONText = ["limit": JSONText(limit), "rooms": room.map { [JSONText($0)] }]
        return MatrixRequest(
            .post, client + ["search"], query: [("next_batch", token)],
            body: [
                "search_categories": [
                    "room_events": [
                        "search_term": JSONText(words), "keys": ["content.body"], "order_by": "recent",
                        "filter": filter,
                    ]
                ]
            ], longestResponse: 8 << 20)
    }
}

/// Requests that change a room.
extension MatrixRequest {
    /// Sends an event. A request that is repeated sends nothing twice.
    /// - Parameters:
    ///   - transaction: identifies the event for the server: the same for each try.
    ///   - content: JSON.
    package static func send(
        _ type: String, _ content: String, room: String, transaction: String
    ) -> MatrixRequest {
        MatrixRequest(.put, client + ["rooms", room, "send", type, transaction], body: JSONText(json: content))
    }

    /// Removes the content of an event.
    package static func redact(_ event: String, room: String, transaction: String) -> MatrixRequest {
        MatrixRequest(.put, client + ["rooms", room, "redact", event, transaction], body: [:])
    }

    /// Says that everything up to an event is read.
    /// - Parameter receipt: `m.read` if others may see it, `m.read.private` for the user's own clients only; nil for neither.
    package static func read(_ event: String, room: String, receipt: String?) -> MatrixRequest {
        let places = ["m.fully_read", receipt].compactMap(\.self).map { ($0, Optional(JSONText(event))) }
        return MatrixRequest(.post, client + ["rooms", room, "read_markers"], body: JSONText(fields: places))
    }

    /// Reports that a person is typing, for half a minute, or no longer.
    package static func typing(_ isOn: Bool, room: String, user: String) -> MatrixRequest {
        MatrixRequest(
            .put, client + ["rooms", room, "typing", user],
            body: ["typing": JSONText(isOn), "timeout": isOn ? 30_000 : nil])
    }
}
