import Formats
import Testing

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
    ]) func `chats that are not read are named`(file: String, text: String, word: String) {
        let look = UnsupportedSource.look(of: Source([file: Array(text.utf8)]))
        #expect(look?.contains(word) == true)
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
