internal import Formats

/// The source as it was read, with the format that reads it.
struct MirrorPlan: Sendable {
    var source: Source
    let format: any Format
    var archive: ForeignArchive
    let key: String
    let names: ForeignNames
    /// Stands for the list of files.
    let listing: UInt64
    /// The indices of conversations by their IDs.
    var places: [String: Int] = [:]
}
