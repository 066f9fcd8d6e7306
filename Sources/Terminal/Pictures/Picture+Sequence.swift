internal import Display
internal import FoundationEssentials

extension PlacedPicture {
    /// The sequences that draw the picture at its place, and leave the cursor where it was.
    var sequence: [UInt8] {
        let start = "\u{1B}7\u{1B}[\(position.row + 1);\(position.column + 1)H"
        return Array(start.utf8) + picture.sequence + Array("\u{1B}8".utf8)
    }
}

extension Picture {
    /// Removes the pictures that were drawn by Kitty's protocol, and frees the terminal's memory of them.
    static let kittyRemoval = Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8)

    var isKitty: Bool { if case .sixel = pixels { false } else { true } }

    /// The first parameter of sixels says that pixels are squares: by 0 some terminals make them twice as high, whatever the body
    /// says. The second one leaves pixels without a colour as they are.
    fileprivate var sequence: [UInt8] {
        switch pixels {
        case .sixel(let body): Array("\u{1B}P7;1;0q".utf8) + body.bytes + Array("\u{1B}\\".utf8)
        case .png(let file): kitty("f=100", file)
        case .rgba(let rows, let width, let height): kitty("f=32,s=\(width),v=\(height)", rows)
        }
    }

    /// The most bytes of base64 in one sequence of Kitty's protocol.
    private static let piece = 4_096

    /// In pieces, of which all but the last say that more follow. The terminal scales the picture to its cells, leaves the cursor
    /// alone, and replies nothing.
    private func kitty(_ format: String, _ data: [UInt8]) -> [UInt8] {
        let text = Array(Data(data).base64EncodedData())
        let starts = Array(stride(from: 0, to: max(1, text.count), by: Picture.piece))
        return starts.flatMap { start -> [UInt8] in
            let end = min(start + Picture.piece, text.count)
            let more = end < text.count ? 1 : 0
            let keys =
                start == 0
                ? "a=T,t=d,\(format),i=1,p=1,c=\(size.columns),r=\(size.rows),C=1,q=2,m=\(more)" : "q=2,m=\(more)"
            return Array("\u{1B}_G\(keys);".utf8) + text[start..<end] + Array("\u{1B}\\".utf8)
        }
    }
}
