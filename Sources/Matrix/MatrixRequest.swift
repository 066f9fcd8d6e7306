package import Formats

/// A request to a homeserver, as a value.
package struct MatrixRequest: Hashable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    package let method: Method
    /// The parts of the path, as they are: `["_matrix", "client", "v3", "rooms", "!a/b"]`.
    package let path: [String]
    package let query: [Parameter]
    /// JSON; nil without a body.
    package let body: [UInt8]?
    /// Whether the access token is sent with it.
    package let isAuthorized: Bool
    /// How long all of it may take, in milliseconds.
    package let limit: Int
    /// In seconds: the request fails when hardly a byte has come for so long; nil for no such limit.
    package var longestSilence: Int?
    /// In bytes: a longer response is given up.
    package let longestResponse: Int

    package struct Parameter: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    init(
        _ method: Method, _ path: [String], query: [(String, String?)] = [], body: [UInt8]? = nil,
        isAuthorized: Bool = true, limit: Int = 60_000, longestResponse: Int = 4 << 20
    ) {
        self.method = method
        self.path = path
        self.query = query.compactMap { name, value in value.map { Parameter(name: name, value: $0) } }
        self.body = body
        self.isAuthorized = isAuthorized
        self.limit = limit
        self.longestResponse = longestResponse
    }

    /// The address at a server.
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
    /// Asks the domain of an ID where its homeserver is.
    package static let wellKnown = MatrixRequest(
        .get, [".well-known", "matrix", "client"], isAuthorized: false, longestResponse: 64 << 10)

    /// Asks which ways to log in there are.
    package static let loginFlows = MatrixRequest(
        .get, client + ["login"], isAuthorized: false, longestResponse: 1 << 20)

    /// - Parameter device: the ID that this device has had: posts that are repeated after the login are still the same posts for
    ///   the server, which knows their transactions by it. Nil for a new one.
    package static func login(
        user: String, password: String, device: String? = nil, name: String
    ) -> MatrixRequest {
        login(
            #"{"type":"m.login.password","identifier":{"type":"m.id.user","user":\#(JSONString.text(user))},"#
                + #""password":\#(JSONString.text(password)),"#, device, name)
    }

    /// - Parameter token: the one that a login in the browser gave.
    package static func login(token: String, device: String? = nil, name: String) -> MatrixRequest {
        login(#"{"type":"m.login.token","token":\#(JSONString.text(token)),"#, device, name)
    }

    private static func login(_ start: String, _ device: String?, _ name: String) -> MatrixRequest {
        let device = device.map { #""device_id":\#(JSONString.text($0)),"# } ?? ""
        let body = start + device + #""initial_device_display_name":\#(JSONString.text(name))}"#
        return MatrixRequest(
            .post, client + ["login"], body: Array(body.utf8), isAuthorized: false, longestResponse: 1 << 20)
    }

    /// Where a browser begins a login; it ends at `redirect`, with the parameter `loginToken`.
    package static func browserLogin(redirect: String) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["login", "sso", "redirect"], query: [("redirectUrl", redirect)], isAuthorized: false)
    }

    /// Asks whose the token is.
    package static let whoAmI = MatrixRequest(.get, client + ["account", "whoami"], longestResponse: 1 << 20)

    package static let logout = MatrixRequest(
        .post, client + ["logout"], body: Array("{}".utf8), longestResponse: 1 << 20)
}

/// Requests for events.
extension MatrixRequest {
    private static let client = ["_matrix", "client", "v3"]
    /// The longest responses with events, in bytes. For an account of thousands of rooms the first one has some hundred megabytes at
    /// most: it is read from a file, a part at a time. Where a page is too long, a smaller one is asked for.
    private static let longestSync = 512 << 20
    private static let longestPage = 8 << 20

    /// How many of the newest events of a room a response of /sync holds at most.
    package static let timelineLimit = 50

    /// - Parameter hasPeople: whether it is wanted who is typing, and how far people have read.
    private static func filter(hasPeople: Bool) -> String {
        let typing = hasPeople ? #""types":["m.typing","m.receipt"]"# : #""not_types":["*"]"#
        return
            #"{"room":{"timeline":{"limit":\#(timelineLimit),"lazy_load_members":true},"#
            + #""state":{"lazy_load_members":true},"ephemeral":{\#(typing)},"account_data":{"types":["m.fully_read"]}},"#
            + #""presence":{"not_types":["*"]},"account_data":{"not_types":["*"]}}"#
    }

    /// Asks what is new.
    /// - Parameters:
    ///   - since: the token of the response before; nil for the first.
    ///   - wait: how long the server waits for something new, in milliseconds.
    ///   - hasPeople: whether it is wanted who is typing, and how far people have read: the server responds whenever that changes.
    package static func sync(since: String?, wait: Int, hasPeople: Bool = false) -> MatrixRequest {
        let wait = since == nil ? 0 : wait
        return MatrixRequest(
            .get, client + ["sync"],
            query: [("filter", filter(hasPeople: hasPeople)), ("since", since), ("timeout", "\(wait)")],
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
                ("filter", #"{"lazy_load_members":true}"#),
            ], limit: 300_000, longestResponse: longestPage)
    }

    /// Asks for an event and those around it.
    /// - Parameter limit: the number of events around it.
    package static func context(room: String, event: String, limit: Int) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["rooms", room, "context", event],
            query: [("limit", "\(limit)"), ("filter", #"{"lazy_load_members":true}"#)], longestResponse: longestPage)
    }

    /// Asks for the reactions to an event, the newest first: so many as a page of the server has, and no more.
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

/// Requests of the first look at an account: the newest rooms before all others.
extension MatrixRequest {
    /// Asks for a token after which everything is new; the response holds no room.
    package static let syncToken: MatrixRequest = {
        let nothing = #"{"not_types":["*"]}"#
        let filter = #"{"room":{"rooms":[]},"presence":\#(nothing),"account_data":\#(nothing)}"#
        return MatrixRequest(
            .get, ["_matrix", "client", "v3", "sync"], query: [("filter", filter), ("timeout", "0")], limit: 180_000,
            longestResponse: 16 << 20)
    }()

    /// The state that a room's facts come from, and the members who have written.
    private static let slidingState = [
        #"["m.room.create",""]"#, #"["m.room.name",""]"#, #"["m.room.topic",""]"#, #"["m.room.canonical_alias",""]"#,
        #"["m.room.encryption",""]"#, #"["m.room.power_levels",""]"#, #"["m.room.tombstone",""]"#,
        #"["m.space.child","*"]"#,
        #"["m.room.member","$LAZY"]"#, #"["m.room.member","$ME"]"#,
    ]

    /// Asks for the newest rooms by simplified sliding sync (MSC4186).
    /// - Parameters:
    ///   - count: how many of them; those that came in earlier responses come again only if they have changed.
    ///   - pos: the token of the response before; nil for the first.
    ///   - hasPeople: whether it is wanted how far people have read.
    package static func slidingSync(rooms count: Int, pos: String?, hasPeople: Bool = false) -> MatrixRequest {
        let body =
            #"{"conn_id":"kedge","lists":{"all":{"ranges":[[0,\#(max(count, 1) - 1)]],"timeline_limit":\#(timelineLimit),"#
            + #""required_state":[\#(slidingState.joined(separator: ","))]}},"#
            + #""extensions":{"account_data":{"enabled":true}\#(hasPeople ? #","receipts":{"enabled":true}"# : "")}}"#
        return MatrixRequest(
            .post, ["_matrix", "client", "unstable", "org.matrix.simplified_msc3575", "sync"],
            query: [("pos", pos), ("timeout", "0")], body: Array(body.utf8), limit: 600_000,
            longestResponse: 512 << 20)
    }
}

/// Requests for files.
extension MatrixRequest {
    /// The longest files that are fetched, in bytes.
    package static let longestFile = 256 << 20

    /// Asks for a file.
    package static func media(_ address: MediaAddress) -> MatrixRequest {
        MatrixRequest(
            .get, ["_matrix", "client", "v1", "media", "download", address.server, address.media], limit: 1_800_000,
            longestResponse: longestFile)
    }

    /// Asks for a file as all servers knew it before 2024. Anybody may ask, so no token is sent, and redirects are followed.
    package static func oldMedia(_ address: MediaAddress) -> MatrixRequest {
        MatrixRequest(
            .get, ["_matrix", "media", "v3", "download", address.server, address.media], isAuthorized: false,
            limit: 1_800_000, longestResponse: longestFile)
    }
}

/// Requests that begin and end a membership.
extension MatrixRequest {
    /// Joins a room, also one to which this account is invited.
    /// - Parameter address: of the room; its servers help those of other rooms to find it.
    package static func join(_ address: RoomAddress) -> MatrixRequest {
        // Earlier servers know the parameter by its earlier name.
        let servers = ["via", "server_name"].flatMap { name in address.via.map { (name, Optional($0)) } }
        // A room of another server is joined only when that server has sent its members.
        return MatrixRequest(
            .post, client + ["join", address.room], query: servers, body: Array("{}".utf8), limit: 600_000,
            longestResponse: 1 << 20)
    }

    /// Leaves a room, or declines an invitation to it.
    package static func leave(_ room: String) -> MatrixRequest {
        MatrixRequest(.post, client + ["rooms", room, "leave"], body: Array("{}".utf8), longestResponse: 1 << 20)
    }

    /// Asks who is in a room.
    package static func members(_ room: String) -> MatrixRequest {
        MatrixRequest(.get, client + ["rooms", room, "joined_members"], limit: 300_000, longestResponse: 64 << 20)
    }

    /// The largest rooms have some 100,000 members.
    private static let mostMembers = 250_000

    /// The members of a room, with their names, by their IDs; nil if it is no response to that.
    package static func members(_ body: UnsafeRawBufferPointer) -> [ForeignPerson]? {
        guard let joined = LongJSON(document: body, by: JSONTree())?["joined"], joined.isObject else { return nil }
        var people: [ForeignPerson] = []
        for (id, value) in joined.fields.lazy.filter({ UserID.isValid($0.name) }).prefix(mostMembers) {
            people.append(ForeignPerson(id: id, name: value.value?["display_name"]?.string?.visibleName ?? id))
        }
        return people.sorted { $0.id < $1.id }
    }

    /// Asks which rooms are spaces, what they hold, and which rooms have moved where. The response also has the invitations. Messages
    /// and members are not in it.
    package static let roomRelations: MatrixRequest = {
        let nothing = #"{"not_types":["*"]}"#
        let types = ["create", "name", "canonical_alias", "tombstone"].map { "\"m.room.\($0)\"" }
        let state = #"{"types":[\#(types.joined(separator: ",")),"m.space.child","m.space.parent"]}"#
        let filter =
            #"{"room":{"timeline":{"limit":1,"not_types":["*"]},"state":\#(state),"ephemeral":\#(nothing),"#
            + #""account_data":\#(nothing)},"presence":\#(nothing),"account_data":\#(nothing)}"#
        return MatrixRequest(
            .get, client + ["sync"], query: [("filter", filter), ("timeout", "0")], limit: 1_200_000,
            longestResponse: 512 << 20)
    }()

    /// Asks for the rooms to which this account is invited. The response holds next to nothing of other rooms.
    /// - Parameter wait: in milliseconds; any number below 1,000. Synapse repeats its response to the same request for two
    ///   minutes, so no two requests are to be the same. It does not wait before a first response.
    package static func invitations(wait: Int) -> MatrixRequest {
        let nothing = #"{"not_types":["*"]}"#
        let filter =
            #"{"room":{"timeline":{"limit":1,"not_types":["*"]},"state":\#(nothing),"ephemeral":\#(nothing),"#
            + #""account_data":\#(nothing)},"presence":\#(nothing),"account_data":\#(nothing)}"#
        return MatrixRequest(
            .get, client + ["sync"], query: [("filter", filter), ("timeout", "\(wait)")], limit: 600_000,
            longestResponse: 64 << 20)
    }
}

extension MatrixRequest {
    /// Searches for messages, the newest first.
    /// - Parameters:
    ///   - room: nil for all rooms.
    ///   - token: that of the page before; nil for the first one.
    package static func search(_ words: String, room: String?, limit: Int, from token: String?) -> MatrixRequest {
        let rooms = room.map { ",\"rooms\":[\(JSONString.text($0))]" } ?? ""
        let body =
            "{\"search_categories\":{\"room_events\":{\"search_term\":\(JSONString.text(words)),"
            + "\"keys\":[\"content.body\"],\"order_by\":\"recent\",\"filter\":{\"limit\":\(limit)\(rooms)}}}}"
        return MatrixRequest(
            .post, ["_matrix", "client", "v3", "search"], query: [("next_batch", token)], body: Array(body.utf8),
            longestResponse: 8 << 20)
    }
}

/// Requests that change a room.
extension MatrixRequest {
    /// Sends an event. A request that is repeated sends nothing twice.
    /// - Parameters:
    ///   - transaction: names the event for the server: the same for each try.
    ///   - content: JSON.
    package static func send(
        _ type: String, _ content: String, room: String, transaction: String
    ) -> MatrixRequest {
        MatrixRequest(.put, client + ["rooms", room, "send", type, transaction], body: Array(content.utf8))
    }

    /// Removes the content of an event.
    package static func redact(_ event: String, room: String, transaction: String) -> MatrixRequest {
        MatrixRequest(.put, client + ["rooms", room, "redact", event, transaction], body: Array("{}".utf8))
    }

    /// Says that everything up to an event is read.
    /// - Parameter receipt: `m.read` to tell the other people, `m.read.private` for the user's other clients; nil for neither.
    package static func read(_ event: String, room: String, receipt: String?) -> MatrixRequest {
        let event = JSONString.text(event)
        let told = receipt.map { ",\"\($0)\":\(event)" } ?? ""
        let body = "{\"m.fully_read\":\(event)\(told)}"
        return MatrixRequest(.post, client + ["rooms", room, "read_markers"], body: Array(body.utf8))
    }

    /// Says whether a person is typing. It counts for half a minute.
    package static func typing(_ isOn: Bool, room: String, user: String) -> MatrixRequest {
        let body = isOn ? "{\"typing\":true,\"timeout\":30000}" : "{\"typing\":false}"
        return MatrixRequest(.put, client + ["rooms", room, "typing", user], body: Array(body.utf8))
    }
}
