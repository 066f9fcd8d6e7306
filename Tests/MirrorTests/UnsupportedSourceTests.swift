import Messages
import Testing

@testable import Formats
@testable import Mirror

struct UnsupportedSourceTests {
    @Test(arguments: [
        ("slackdump.sqlite", "SQLite format 3\0x", "slackdump"), ("x.db", "SQLite format 3\0x", "SQLite database"),
        ("chat.db", "SQLite format 3\0x", "imessage-exporter"),
        ("messages.json", "{\"userId\":\"8:ana\",\"exportDate\":\"2024\",\"conversations\":[]}", "Skype"),
        ("messages.json", "{\"messages\":[{\"creator\":{},\"created_date\":\"x\",\"topic_id\":\"y\"}]}", "Google Chat"),
        ("messages.htm", "<html><div class=\"thread\"><div class=\"message_header\">", "before 2018"),
        ("posts.html", "\n<!DOCTYPE html><html><div class=\"_a6-g\">", "no chat"),
        ("a.txt", "[LINE] Chat history with Ana\n", "LINE"),
        ("a.txt", "KakaoTalk Chats with Ana\nDate Saved : 2024-01-05\n", "KakaoTalk"),
        ("a.txt", "\u{FEFF}Ana 님과 카카오톡 대화\n", "KakaoTalk"),
        ("sms.xml", "<?xml version='1.0'?>\n<smses count=\"1\">", "SMS Backup"),
        ("msgstore.db.crypt14", "\u{1}\u{2}", "Export chat"),
        ("a.json", "[{\"_id\":\"x\",\"rid\":\"GENERAL\",\"msg\":\"hi\",\"_updatedAt\":{}}]", "Rocket.Chat"),
    ]) func `chats that are not read are named`(file: String, text: String, word: String) {
        let look = UnsupportedSource.look(of: Source([file: Array(text.utf8)]))
        #expect(look?.contains(word) == true)
    }

    @Test func `a chat that is not read is no log of IRC, and hides no other`() throws {
        let line = "[LINE] Chat history with Ben\n\n2024/01/05(Fri)\n09:12\tAna\thi\n09:13\tBen\tho\n"
        func format(_ files: [String: String]) throws -> String {
            try Recognizer.format(of: Source(files.mapValues { Array($0.utf8) }), at: "x", among: Formats.all).id
        }
        #expect(throws: StoreError.unreadable("x: this looks like a chat of LINE, which Kedge does not read")) {
            try format(["Ben.txt": line])
        }
        #expect(
            try format(["Ben.txt": line, "#a.log": "--- Log opened Tue Mar 05 09:00:00 2024\n09:00 <ana> hi\n"])
                == "irc")
    }

    @Test func `a log is not refused for its words`() {
        for text in [
            "hello", "From here to there", "{}", "<html></html>", "",
            "<ana> look: <html><div class=\"thread\"> class=\"message_header\"",
            "12:00 <ana> \"userId\" \"exportDate\" \"conversations\"", "12:00 <ana> SQLite format 3",
        ] {
            #expect(UnsupportedSource.look(of: Source(["a.txt": Array(text.utf8)])) == nil)
        }
    }
}
