import Testing

@testable import Display

struct PictureTests {
    private static func body(_ text: String) -> SixelBody? { SixelBody(Array(text.utf8)) }

    @Test func `The body of a sequence of sixels is kept as it is, with its size`() {
        let body = Self.body("\n\u{1B}P0;1;0q\"1;1;12;7#0;2;0;0;0#0!12~-!12~\u{1B}\\\n")
        #expect(body?.size == PixelSize(width: 12, height: 7))
        #expect(body?.bytes == Array("\"1;1;12;7#0;2;0;0;0#0!12~-!12~".utf8))
    }

    @Test(arguments: [
        "", "\u{1B}P", "\u{1B}Pq\"1;1;6;6~", "text\u{1B}Pq\"1;1;6;6~\u{1B}\\", "\u{1B}Pq\"1;1;6;6~\u{1B}\\text",
        "\u{1B}Pq~\u{1B}\\", "\u{1B}Pq\"1;1;0;6~\u{1B}\\", "\u{1B}Pq\"1;1;6;99999~\u{1B}\\", "\u{1B}Pq\"1;1;6~\u{1B}\\",
        "\u{1B}Pq\"1;1;6;6~\u{1B}\\\u{1B}]0;x\u{7}\u{1B}Pq~\u{1B}\\", "\u{1B}Pq\"1;1;6;6~\u{18}\u{1B}\\",
        "\u{1B}Pq\"1;1;6;6~\u{9C}\u{1B}\\", "\u{1B}P$q\"1;1;6;6~\u{1B}\\", "\u{1B}Pq\"1;1;6;6~-~-~\u{1B}\\",
    ])
    func `Anything else is no body of sixels`(text: String) { #expect(Self.body(text) == nil) }

    @Test func `A picture that would not fit is not in the frame`() {
        let picture = Picture(number: 1, size: Size(columns: 10, rows: 4), pixels: .png([]))
        func isShown(row: Int, column: Int) -> Bool {
            let place = PlacedPicture(picture, at: ScreenPosition(row: row, column: column))
            return Frame(size: Size(columns: 12, rows: 6), lines: [], picture: place).picture != nil
        }
        #expect(isShown(row: 1, column: 2) && isShown(row: 0, column: 0))
        #expect(!isShown(row: 2, column: 2), "below it, the terminal would scroll")
        #expect(!isShown(row: 1, column: 3) && !isShown(row: -1, column: 0))
    }

    @Test func `A picture becomes smaller, never larger, and keeps its shape`() {
        let limit = PixelSize(width: 100, height: 50)
        #expect(PixelSize(width: 400, height: 100).fitted(into: limit) == PixelSize(width: 100, height: 25))
        #expect(PixelSize(width: 40, height: 30).fitted(into: limit) == PixelSize(width: 40, height: 30))
        #expect(PixelSize(width: 30_000, height: 1).fitted(into: limit) == PixelSize(width: 100, height: 1))
        #expect(
            PixelSize(width: 21, height: 20).cells(of: PixelSize(width: 10, height: 20)) == Size(columns: 3, rows: 1))
    }
}
