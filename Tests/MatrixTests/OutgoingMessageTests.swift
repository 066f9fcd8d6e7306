import Foundation
import Testing

@testable import Matrix

struct OutgoingMessageTests {
    /// The content as a server reads it, with its fields in their order.
    private func sorted(_ json: String) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
        let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    private func content(_ text: String, author: String? = nil, replyTo: String? = nil, thread: String? = nil) throws
        -> String
    {
        try sorted(OutgoingMessage(text: text, author: author).content(replyTo: replyTo, thread: thread))
    }

    @Test func `a picture as a reaction is sent by its key, with its short name`() {
        let plain = OutgoingMessage.reaction(to: "$1", emoji: "👍")
        #expect(plain == #"{"m.relates_to":{"rel_type":"m.annotation","event_id":"$1","key":"👍"}}"#)
        let picture = OutgoingMessage.reaction(to: "$1", emoji: ":cat:", key: "mxc://e.org/cat")
        #expect(picture.contains(#""key":"mxc://e.org/cat""#) && picture.contains(#""shortcode":":cat:""#))
    }

    @Test func `a message is its text, and calls nobody by its words`() throws {
        #expect(try content("a \"b\"\n\u{1B}c") == #"{"body":"a \"b\"\n\u001bc","m.mentions":{},"msgtype":"m.text"}"#)
    }

    @Test func `an action is an emote, and words that look like a command are text`() throws {
        let action = OutgoingMessage(text: "waves", isAction: true).content(replyTo: nil, thread: nil)
        #expect(try sorted(action) == #"{"body":"waves","m.mentions":{},"msgtype":"m.emote"}"#)
        #expect(try content("/me waves") == #"{"body":"/me waves","m.mentions":{},"msgtype":"m.text"}"#)
    }

    @Test func `a reply names its message, and calls its author`() throws {
        let relation = #""m.relates_to":{"m.in_reply_to":{"event_id":"$a"}}"#
        let start = #"{"body":"yes","m.mentions":{"user_ids":["@ana:e.org"]},"#
        #expect(
            try content("yes", author: "@ana:e.org", replyTo: "$a") == start + relation + #","msgtype":"m.text"}"#)
    }

    @Test(arguments: [(nil, "$root", true), ("$a", "$a", false)])
    func `a reply in a thread names the thread`(replyTo: String?, target: String, isFallingBack: Bool) throws {
        let relation =
            #""m.relates_to":{"event_id":"$root","is_falling_back":\#(isFallingBack),"#
            + #""m.in_reply_to":{"event_id":"\#(target)"},"rel_type":"m.thread"}"#
        #expect(try content("x", replyTo: replyTo, thread: "$root").contains(relation))
    }

    @Test(arguments: [
        ("hi @ana:e.org, and @ben:e.org!", ["@ana:e.org", "@ben:e.org"]), ("@ana:e.org @ana:e.org", ["@ana:e.org"]),
        ("mail ana@e.org or @ana", []), ("@:", []),
    ])
    func `an ID in the text calls that person, once`(text: String, people: [String]) throws {
        let list = people.map { "\"\($0)\"" }.joined(separator: ",")
        let mentions = people.isEmpty ? "{}" : "{\"user_ids\":[\(list)]}"
        #expect(try content(text).contains("\"m.mentions\":" + mentions))
    }

    @Test func `an edit has the new text, also for clients that know no edits`() throws {
        let edit = try sorted(OutgoingMessage(text: "new").content(editing: "$a"))
        #expect(
            edit
                == #"{"body":"* new","m.mentions":{},"m.new_content":{"body":"new","m.mentions":{},"msgtype":"m.text"},"#
                + #""m.relates_to":{"event_id":"$a","rel_type":"m.replace"},"msgtype":"m.text"}"#)
    }

    @Test func `a reaction names its event`() throws {
        let relation = #"{"m.relates_to":{"event_id":"$a","key":"👍","rel_type":"m.annotation"}}"#
        #expect(try sorted(OutgoingMessage.reaction(to: "$a", emoji: "👍")) == relation)
    }

    @Test func `an address holds no ID unescaped`() {
        let request = MatrixRequest.send("m.room.message", "{}", room: "!a/b?c", transaction: "01J")
        #expect(
            request.address(at: "https://e.org")
                == "https://e.org/_matrix/client/v3/rooms/%21a%2Fb%3Fc/send/m.room.message/01J")
    }

    @Test func `a link to a person calls that person, and clients without HTML show its words alone`() throws {
        let text = "*hi* [@Ben Ong](https://matrix.to/#/@ben:e.org), [a](https://e.org) @ana:e.org"
        let json = try content(text)
        #expect(json.contains(#""m.mentions":{"user_ids":["@ben:e.org","@ana:e.org"]}"#), "\(json)")
        #expect(json.contains(#""body":"*hi* @Ben Ong, [a](https://e.org) @ana:e.org""#), "\(json)")
        #expect(json.contains(#"<a href=\"https://matrix.to/#/@ben:e.org\">@Ben Ong</a>"#), "\(json)")
    }

    @Test(arguments: [
        ("@room look", true), ("look, @room!", true), ("@rooms", false), ("@room:e.org", false), ("`@room`", false),
        ("a@room", false), ("@Room", false),
    ])
    func `the word @room calls everybody, where one may`(text: String, isCalled: Bool) throws {
        #expect(try content(text).contains(#""room":true"#) == isCalled)
        let without = OutgoingMessage(text: text, mayCallRoom: false).content(replyTo: nil, thread: nil)
        #expect(!without.contains(#""room":true"#))
    }

    @Test func `an edit calls only those anew whom the message did not call, and keeps all`() throws {
        let message = OutgoingMessage(text: "@ben:e.org @cy:e.org @room", author: "@ana:e.org")
        let edit = try sorted(message.content(editing: "$a", called: ["@ana:e.org", "@ben:e.org", "@room"]))
        #expect(edit.contains(#""m.mentions":{"user_ids":["@cy:e.org"]},"m.new_content""#), "\(edit)")
        let all = #""m.mentions":{"room":true,"user_ids":["@ana:e.org","@ben:e.org","@cy:e.org"]}"#
        #expect(edit.contains(all), "\(edit)")
    }
}
