import Display
import Testing

@testable import Interface

/// Texts that are drawn in another spelling than people look for them in.
struct SpellingTests {
    @Test(arguments: [
        ("नमस्ते दुनिया", "नमस्ते", "नमस्ते"), ("हिन्दी में", "हिन्द*", "हिन्दी"), ("ক্ষমা করো", "ক্ষমা", "ক্ষমা"),
        ("ഒരു വാക്ക്", "വാക്ക്", "വാക്ക്"), ("ดื่มน้ำเย็น", "น้ำ", "น\u{E4D}\u{E49}\u{E32}"),
        ("ທຳນຳ", "ນຳ", "ນ\u{ECD}\u{EB2}"), ("ﾀﾞｲｱ ﾛｸﾞ", "ﾛｸﾞ", "ﾛｸ\u{3099}"),
    ])
    func `A word is highlighted in the form in which it is drawn`(text: String, query: String, drawn: String) {
        var script = Script("2025-03-01T00:00:00Z")
        script.add(text, from: "Ana")
        var stage = Stage.open(script.messages, at: nil, columns: 50)
        stage.press(.character("/"))
        stage.typeAndWait(query)
        #expect(highlights(stage.frame).map { Array($0.unicodeScalars) } == [Array(drawn.unicodeScalars)])
    }
}
