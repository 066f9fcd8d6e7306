/// The facts about a topic that its converter must know.
struct ZulipSetting: Hashable {
    let topic: String
    /// The first message of the topic, if another file may hold it; else that of the file is.
    let root: Int64?

    init(topic: String, root: Int64? = nil) {
        (self.topic, self.root) = (topic, root)
    }

    init(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        root = parts.first.flatMap { Int64($0) }
        topic = parts.count == 2 ? String(parts[1]) : ""
    }

    var text: String { (root.map { "\($0)" } ?? "") + "\n" + topic }
}
