import Display
import Foundation
import Testing

@testable import Terminal

extension TerminalTests {
    /// Pictures on a terminal, and the questions for them.
    @Suite
    struct PictureTests {
        private static let cell = PixelSize(width: 10, height: 20)

        private static func support(_ reports: [String], isDirect: Bool = true, cell: PixelSize? = cell)
            -> PictureSupport?
        {
            var inquiry = PictureInquiry()
            _ = inquiry.begin(cell: cell, isDirect: isDirect, at: .now)
            var decoder = KeyDecoder(sequences: [:])
            for report in reports {
                // Byte by byte, as over a slow line.
                for byte in Array(report.utf8) { #expect(decoder.decode([byte], at: .now) == []) }
            }
            for report in decoder.takeReports() { inquiry.take(report) }
            return inquiry.support
        }

        private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\"

        @Test func `The reports of a terminal say how it shows pictures`() {
            #expect(Self.support([Self.kitty, "\u{1B}[?62;4c"]) == .kitty(cell: Self.cell))
            #expect(Self.support(["\u{1B}_Gi=31;ENOTSUPPORTED:x\u{1B}\\", "\u{1B}[?62;4c"]) == .sixel(cell: Self.cell))
            #expect(Self.support(["\u{1B}[?62;4;22c"]) == .sixel(cell: Self.cell))
            #expect(Self.support(["\u{1B}[?62;14;22c"]) == PictureSupport.none)
            #expect(
                Self.support(["\u{1B}[6;18;9t", "\u{1B}[?4c"], cell: nil)
                    == .sixel(cell: PixelSize(width: 9, height: 18)))
            #expect(Self.support(["\u{1B}[6;0;9t", "\u{1B}[?4c"], cell: nil) == .sixel(cell: .smallestCell))
            #expect(Self.support([Self.kitty]) == nil, "the last report is still to come")
        }

        @Test func `A multiplexer is not asked for Kitty's protocol, and a silent terminal shows none`() {
            var inquiry = PictureInquiry()
            let now = ContinuousClock.now
            #expect(inquiry.begin(cell: Self.cell, isDirect: false, at: now) == Array("\u{1B}[c".utf8))
            #expect(
                String(decoding: inquiry.begin(cell: nil, isDirect: true, at: now), as: UTF8.self).hasPrefix(
                    "\u{1B}_Gi=31"))
            inquiry.end(at: now + .milliseconds(999))
            #expect(inquiry.support == nil && inquiry.deadline == now + .seconds(1))
            inquiry.end(at: now + .seconds(1))
            #expect(inquiry.support == PictureSupport.none && inquiry.deadline == nil)
            inquiry.take(.attributes([4]))
            #expect(inquiry.support == PictureSupport.none, "too late")
        }

        private static func placed(_ number: Int, _ pixels: Picture.Pixels) -> PlacedPicture {
            PlacedPicture(
                Picture(number: number, size: Size(columns: 4, rows: 2), pixels: pixels),
                at: ScreenPosition(row: 1, column: 3))
        }

        /// Draws pictures one after another. Each piece is the output for one frame.
        private static func outputs(_ pictures: [PlacedPicture?]) throws -> [String] {
            let pty = try Pty(columns: 30, rows: 6)
            var screen = try Screen(
                color: true, theme: ThemeSettings(.dark), input: pty.slave, output: pty.slave, term: "xterm-256color")
            for (index, picture) in pictures.enumerated() {
                screen.draw(Frame(size: screen.size, lines: [Line("frame \(index)")], picture: picture))
                screen.ring()
            }
            screen.close()
            // The question for the terminal's background ends with the same sign.
            let output = pty.finish().replacing("\u{1B}]11;?\u{7}", with: "")
            return output.split(separator: "\u{7}", omittingEmptySubsequences: false).map(String.init)
        }

        private static let clear = "\u{1B}[H\u{1B}[2J"

        @Test func `Sixels are drawn once at their place, and removed by drawing the whole screen`() throws {
            let body = try #require(SixelBody(Array("\u{1B}Pq\"1;1;6;6#0!6~\u{1B}\\".utf8)))
            let one = Self.placed(1, .sixel(body))
            let outputs = try Self.outputs([nil, one, one, nil, nil])
            let drawn = "\u{1B}7\u{1B}[2;4H\u{1B}P7;1;0q\"1;1;6;6#0!6~\u{1B}\\\u{1B}8"
            #expect(outputs.map { $0.contains(drawn) } == [false, true, false, false, false, false])
            #expect(outputs.map { $0.contains(Self.clear) } == [true, false, false, true, false, false])
        }

        @Test func `Kitty's pictures come in pieces, and are removed by their own sequence, also at the end`() throws {
            let one = Self.placed(1, .rgba([UInt8](repeating: 7, count: 4 * 40 * 40), width: 40, height: 40))
            let output = try Self.outputs([one, one, nil, one]).joined()
            let pieces = output.components(separatedBy: "\u{1B}_G").dropFirst()
            let heads = pieces.map { $0.prefix { $0 != ";" && $0 != "\u{1B}" } }
            let first = "a=T,t=d,f=32,s=40,v=40,i=1,p=1,c=4,r=2,C=1,q=2,m=1"
            let removal = "a=d,d=A,q=2"
            #expect(
                heads == [
                    first[...], "q=2,m=1", "q=2,m=0", removal[...], first[...], "q=2,m=1", "q=2,m=0", removal[...],
                ])
            let data = pieces.prefix(3).map { $0.drop { $0 != ";" }.dropFirst().prefix { $0 != "\u{1B}" } }.joined()
            #expect(Data(base64Encoded: data)?.count == 4 * 40 * 40)
        }
    }
}
