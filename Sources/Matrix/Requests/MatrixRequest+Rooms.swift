package import Formats

/// Requests that begin and end a membership.
extension MatrixRequest {
    private static let client = ["_matrix", "client", "v3"]

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
