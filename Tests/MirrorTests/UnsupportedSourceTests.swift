import Formats
import Testing

@testable import Mirror

struct UnsupportedSourceTests {
    @Test(arguments: [
        ("slackdump.sqlite", "SQLite format 3\0x", "slackdump"), ("x.db", "SQLite format 3\0x", "SQLite database"),
        ("inbox", "From ana@x.org Tue Mar  5 09:12:33 2024\nFrom: Ana\nSubject: tide\n\nlow\n", "mbox"),
        ("a.csv", "AuthorID,Author,Date,Content,Attachments,Reactions\n1,ana,x,y,,\n", "CSV"),
        ("messages.csv", "ID,Timestamp,Contents,Attachments\n1,2,3,\n", "Discord"),
        ("messages.html", "<html><li class=\"mx_EventTile_last\">", "Element"),
        ("message_1.html", "<html><div class=\"_a6-g\">", "Facebook"),
        ("realm.json", "{\"zerver_realm\": []}", "Zulip"),
    ]) func `chats that are not read are named`(file: String, text: String, word: String) {
        let look = UnsupportedSource.look(of: Source([file: Array(text.utf8)]))
        #expect(look?.contains(word) == true)
    }

    @Test func `nothing is claimed that is only text`() {
        for text in ["hello", "From here to there", "{}", "<html></html>", ""] {
            #expect(UnsupportedSource.look(of: Source(["a.txt": Array(text.utf8)])) == nil)
        }
    }
}
