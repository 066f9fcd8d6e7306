/// Writes the light marks that Kedge shows, for formats with marks of their own.
enum Marks {
    /// Appends `[label](address)`, on one line. An address that is none of the web, and one whose label holds brackets, stands in
    /// parentheses after the label.
    static func appendLink(_ address: Bytes, label: Bytes, to out: inout [UInt8]) {
        let line = label.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        if let escaped = LinkAddress.escaped(address),
            !line.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") })
        {
            out.append(UInt8(ascii: "["))
            out += line
            out += Array("](".utf8)
            out += escaped
        } else {
            out += line
            out += Array(" (".utf8)
            out += address
        }
        out.append(UInt8(ascii: ")"))
    }

    /// Appends a block of code between fences, which stand on lines of their own.
    /// - Parameter append: writes the code.
    static func appendFenced(_ code: Bytes, to out: inout [UInt8], _ append: (Bytes, inout [UInt8]) -> Void) {
        beginLine(&out)
        out += Array("```".utf8)
        if code.first != UInt8(ascii: "\n") { out.append(UInt8(ascii: "\n")) }
        append(code, &out)
        beginLine(&out)
        out += Array("```".utf8)
    }

    /// Goes to a new line unless one has just begun. The text begins at `start`.
    static func beginLine(_ out: inout [UInt8], from start: Int = 0) {
        if out.count > start, out.last != UInt8(ascii: "\n") { out.append(UInt8(ascii: "\n")) }
    }

    /// Puts `> ` before each line from `start` on.
    static func quote(_ out: inout [UInt8], from start: Int) {
        guard start < out.count else { return }
        let lines = Array(out[start...])
        out.removeSubrange(start...)
        for (index, line) in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if index > 0 { out.append(UInt8(ascii: "\n")) }
            out += Array("> ".utf8)
            out += line
        }
    }

    /// Removes blanks and line feeds at the end, back to `start`.
    static func trim(_ out: inout [UInt8], from start: Int) {
        while out.count > start, let last = out.last, last == 0x20 || last == 0x0A || last == 0x0D { out.removeLast() }
    }
}
