import Messages

/// Links to messages of Matrix, which every client of Matrix and Kedge open (Matrix specification, appendices, "matrix.to navigation").
enum MatrixLink {
    private static let site = "https://matrix.to/#/"

    /// - Parameter me: names a server by which a reader's own server finds the room.
    /// - Returns: nil for a conversation that is no room of Matrix, and for a message that the server does not have yet.
    static func link(to message: MessageID, in conversation: Conversation?, by me: PersonID?) -> String? {
        guard let room = conversation?.address, room.hasPrefix(site), message.rawValue.hasPrefix("$") else {
            return nil
        }
        let server = me.flatMap { id in id.rawValue.firstIndex(of: ":").map { id.rawValue[$0...].dropFirst() } }
        let via = server.map { "?via=" + escaped($0, besides: ":[]") } ?? ""
        return site + escaped(room.dropFirst(site.count), besides: "!:") + "/"
            + escaped(message.rawValue[...], besides: "$:") + via
    }

    /// Letters of other scripts, slashes and the like end a link in many programs.
    private static func escaped(_ text: Substring, besides signs: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
            if isPlain || (signs + ".-_~").unicodeScalars.contains(scalar) { return String(scalar) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        .joined()
    }
}
