/// The address of a file on a Matrix server: `mxc://example.org/AbC`. Both of its parts come from anybody, so only those are
/// taken that can be parts of a path.
package struct MediaAddress: Hashable, Sendable {
    /// `example.org`, perhaps with a port.
    package let server: String
    package let media: String

    private static let longestPart = 200
    private static let longestEnding = 8

    /// Nil for every other text.
    package init?(_ address: String) {
        guard address.hasPrefix("mxc://") else { return nil }
        let parts = address.dropFirst("mxc://".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, MediaAddress.isPart(parts[0], others: ".-:[]"),
            MediaAddress.isPart(parts[1], others: ".-_")
        else { return nil }
        (server, media) = (String(parts[0]), String(parts[1]))
    }

    /// The place of a copy in an archive: `files/example.org/AbC.png`. Two files never share one.
    /// - Parameter name: its ending becomes that of the copy, if it is one of letters and digits.
    package func path(name: String) -> String {
        let dot = name.lastIndex(of: ".")
        let ending = dot.map { name[name.index(after: $0)...] } ?? ""
        let isPlain =
            !ending.isEmpty && ending.utf8.count <= MediaAddress.longestEnding && ending.utf8.allSatisfy(\.isSign)
        // A name ends at its last dot, so that the ending of one file is never the end of the address of another.
        return "files/\(server)/\(media).\(isPlain ? ending.lowercased() : "file")"
    }

    private static func isPart(_ text: Substring, others: String) -> Bool {
        // A dot at the beginning could be a way up.
        !text.isEmpty && text.utf8.count <= longestPart && !text.hasPrefix(".")
            && text.utf8.allSatisfy { $0.isSign || others.utf8.contains($0) }
    }
}

extension UInt8 {
    /// A letter or a digit of ASCII.
    fileprivate var isSign: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
