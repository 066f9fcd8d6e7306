import Search
import Testing

struct SpellingTests {
    private static let names = ["open", "search", "show", "list", "send", "index", "export", "next-match"]

    @Test(arguments: [
        ("opne", "open"), ("serach", "search"), ("lst", "list"), ("shwo", "show"), ("Open", "open"), ("indx", "index"),
        ("exprot", "export"), ("nextmatch", "next-match"), ("general", nil), ("x", nil), ("ubuntu", nil),
    ])
    func `A misspelt name has a nearest one`(word: String, name: String?) {
        #expect(Spelling.nearest(to: word, among: Self.names) == name)
    }
}
