internal import Matrix

/// An event that a Kedge has asked for, with those around it, whose place is searched for.
struct FoundIsland: Sendable {
    let asker: Asker
    let event: String
    let room: String
    let page: ContextPage
    var search: IslandSearch
}
