/// The facts about a file that its converter needs, as a feed carries them: words in the first line, paths of media in the others.
struct MatrixSetting {
    /// The room whose events count; nil for all.
    let room: String?
    let isElement: Bool
    let isDescending: Bool
    /// The place of the file among those of the room.
    let rank: Int
    let media: [String]

    init(room: String?, isElement: Bool, isDescending: Bool, rank: Int, media: [String]) {
        (self.room, self.isElement, self.isDescending) = (room, isElement, isDescending)
        (self.rank, self.media) = (rank, media)
    }

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        room = words.first { $0.hasPrefix("!") }
        isElement = words.contains("element")
        isDescending = words.contains("descending")
        rank = words.lazy.compactMap { Int($0) }.first ?? 0
        media = lines.dropFirst().filter { !$0.isEmpty }
    }

    var text: String {
        let words = [room, isElement ? "element" : nil, isDescending ? "descending" : nil, "\(rank)"].compactMap { $0 }
        return ([words.joined(separator: " ")] + media).joined(separator: "\n")
    }
}
