import Testing

@testable import Emoji

/// Short codes mean the emoji that chats show for them.
struct EmojiCodesTests {
    private func emoji(_ code: String) -> String? {
        var (bytes, code) = ([UInt8](), code)
        let isKnown = code.withUTF8 { EmojiCodes.append(UnsafeRawBufferPointer($0), to: &bytes) }
        return isKnown ? String(decoding: bytes, as: UTF8.self) : bytes.isEmpty ? nil : "appended without an emoji"
    }

    @Test(arguments: [
        ("+1", "👍"), ("thumbsup", "👍"), ("cat", "🐱"), ("dog", "🐶"), ("smile", "😄"), ("heart", "❤️"), ("100", "💯"),
        ("man-shrugging", "🤷‍♂️"), ("female-technologist", "👩‍💻"), ("male-technologist", "👨‍💻"), ("hugging_face", "🤗"),
        ("robot_face", "🤖"), ("flag-de", "🇩🇪"), ("flag-zz", "🇿🇿"), ("us", "🇺🇸"), ("slightly_smiling_face", "🙂"),
    ])
    func `a code has one emoji`(code: String, expected: String) {
        #expect(emoji(code) == expected)
    }

    @Test(arguments: [
        ("+1::skin-tone-2", "👍🏻"), ("wave::skin-tone-6", "👋🏿"), ("man-shrugging::skin-tone-4", "🤷🏽‍♂️"),
        ("v::skin-tone-3", "✌🏼"),
    ])
    func `a skin tone follows the first character`(code: String, expected: String) {
        #expect(emoji(code) == expected)
    }

    @Test(arguments: [
        "", ":", "party_parrot", "flag-", "flag-d3", "flag-deu", "::skin-tone-2", "+1::skin-tone-7", "female-",
        "\u{FF}",
    ])
    func `any other code names nothing`(code: String) {
        #expect(emoji(code) == nil)
    }

    @Test func `each other name of Slack leads to an emoji`() {
        for (code, name) in EmojiCodes.others { #expect(emoji(code) != nil, "\(code): \(name)") }
    }
}
