import Display
import Search
import TestSupport
import Testing

@testable import Markup

@Suite struct WebAddressTests {
    private static let pieces = [
        "http://", "HTTPS://", "https:/", "www.", "[", "](", ")", "::1]", "a", "b.org", "1", "é", "漢", "\u{301}", "/x",
        "?", ".",
        " ", "`", "*", "\\", "@", "%2f", "\u{1B}",
    ]

    @Test(arguments: [UInt64](1...400))
    func `A query for links finds every message with a link that can be opened`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = (0..<12).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
        guard !Markup(CleanText(text), from: 0).links.isEmpty else { return }
        #expect(Query("has:link").matches(text), "seed \(seed): \(text)")
    }

    @Test(arguments: ["see www.a.org", "xhttps://a.org", "https://bücher.de", "`https://a.org`"])
    func `A query for links also finds texts whose links are not opened`(text: String) {
        #expect(Query("has:link").matches(text))
        #expect(Markup(CleanText(text), from: 0).links.isEmpty)
    }
}
