import Messages
import Testing

struct NamesakesTests {
    @Test(arguments: [
        (["libera.kedge", "oftc.kedge"], ["libera", "oftc"]),
        (["irc.weechat.kedge", "irc.irssi.kedge"], ["weechat", "irssi"]),
        (["kedge", "kedge-2"], ["kedge", "kedge-2"]), (["C024BE91L", "C024BE92M"], ["C024BE91L", "C024BE92M"]),
        (["a.b.x", "a.c.d.x", "a.b.e.x"], ["b", "c.d", "b.e"]), (["", "."], ["", "."]),
    ])
    func `Conversations of equal titles are marked by that in which their IDs differ`(ids: [String], marks: [String]) {
        let all = ids.map { Conversation(id: ConversationID($0), title: "#kedge", topic: nil) }
        let namesakes = Namesakes(all + [Conversation(id: ConversationID("other"), title: "other", topic: nil)])
        #expect(all.map { namesakes[$0.id] } == marks)
        #expect(namesakes[ConversationID("other")] == nil)
        #expect(namesakes.title(of: all[0]) == "#kedge (\(marks[0]))")
    }
}
