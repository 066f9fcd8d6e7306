import Testing

@testable import Formats

struct TelegramMediaTests {
    private func record(_ more: String, in folder: String = "") throws -> [String: Any] {
        let source = TelegramExport.source(
            TelegramExport.chat([TelegramExport.message(1, "", more)]), at: folder + "result.json")
        return try #require(try TelegramExport.converted(source).records["ana"]?.first)
    }

    private func file(_ more: String, in folder: String = "") throws -> [String: Any]? {
        (try record(more, in: folder)["attachments"] as? [[String: Any]])?.first
    }

    @Test func `a file lies beside the export that names it`() throws {
        let file = try file(#""file": "files/a b.pdf", "file_size": 12"#, in: "ChatExport_2024/")
        #expect(file?["path"] as? String == "ChatExport_2024/files/a b.pdf")
        #expect(file?["name"] as? String == "a b.pdf")
        #expect(file?["bytes"] as? Int == 12)
    }

    @Test(arguments: [
        "(File not included. Change data exporting settings to download.)",
        "(File unavailable, please try again later)",
        "(File exceeds maximum size. Change data exporting settings to download.)", "/etc/passwd", "../secret",
        "files/../../secret", "C:\\\\secret", "..\\\\secret",
    ])
    func `a file outside the export, or none, has a name and no path`(path: String) throws {
        let file = try file(#""file": "\#(path)", "file_name": "a.pdf""#)
        #expect(file?["name"] as? String == "a.pdf")
        #expect(file?["path"] == nil)
    }

    @Test func `a path of Windows is a path`() throws {
        #expect(try file(#""photo": "photos\\a.jpg""#)?["path"] as? String == "photos/a.jpg")
    }

    @Test(arguments: [
        (#""photo": """#, "Photo"), (#""file": "", "media_type": "animation""#, "Animation"),
        (#""file": "", "media_type": "video_file""#, "Video"), (#""file": "", "mime_type": "text/x""#, "File (text/x)"),
    ])
    func `a file without a name is named by its kind`(more: String, name: String) throws {
        #expect(try file(more)?["name"] as? String == name)
    }

    @Test(arguments: [
        (#""file": "", "media_type": "sticker", "sticker_emoji": "😱""#, "😱 Sticker"),
        (#""file": "", "media_type": "voice_message", "duration_seconds": 62"#, "Voice message, 1:02"),
        (#""file": "", "media_type": "video_message", "duration_seconds": 3662"#, "Video message, 1:01:02"),
        (
            #""file": "", "media_type": "audio_file", "performer": "P", "title": "T", "duration_seconds": 5"#,
            "P – T, 0:05"
        ),
        (#""location_information": {"latitude": 1.5, "longitude": -2.25}"#, "Location: 1.5, -2.25"),
        (
            #""location_information": {"latitude": 1.5, "longitude": 2}, "live_location_period_seconds": 60"#,
            "Live location: 1.5, 2.0"
        ),
        (#""location_information": null"#, "Location"),
        (
            #""place_name": "Café", "address": "Street 1", "location_information": {"latitude": 1, "longitude": 2}"#,
            "Location: Café, Street 1: 1.0, 2.0"
        ),
        (
            #""poll": {"question": "Tea?", "closed": true, "total_voters": 3, "answers": [{"text": "Yes", "voters": 2, "chosen": true}, {"text": [{"type": "plain", "text": "No"}], "voters": 1, "chosen": false}]}"#,
            "Poll: Tea?\n- Yes: 2 votes, chosen\n- No: 1 vote\n3 votes, final results"
        ),
        (#""todo_list": {"title": "Shop", "answers": [{"text": "Milk", "id": 1}]}"#, "To-do list: Shop\n- Milk"),
        (
            #""game_title": "Lumber", "game_description": "Cut.", "game_link": "https://t.me/b?game=l""#,
            "Game: Lumber\nCut.\nhttps://t.me/b?game=l"
        ),
        (
            #""invoice_information": "{\n \"title\": \"Hat\",\n \"description\": \"Red\",\n \"amount\": 1250,\n \"currency\": \"EUR\"\n}""#,
            "Invoice: Hat, 12.50 EUR\nRed"
        ),
        (#""paid_stars_amount": 5"#, "Paid media, 5 Stars"),
        (
            #""giveaway_information": {"quantity": 2, "until_date": "2024-05-01T00:00:00", "additional_prize": ""}"#,
            "Giveaway: 2 prizes, until 2024-05-01"
        ),
        (#""giveaway_results": {"winners_count": 1}"#, "Giveaway results: 1 winner"),
    ])
    func `places, polls, games and the like are told in lines`(more: String, text: String) throws {
        #expect(try record(more)["text"] as? String == text)
    }

    @Test func `a contact is told without the phone number`() throws {
        let record = try record(
            #""contact_information": {"first_name": "Ben", "last_name": "B", "phone_number": "+49 170 1"}"#)
        #expect(record["text"] as? String == "Contact: Ben B")
        #expect(!"\(record)".contains("170"))
    }

    @Test func `a caption follows its own line`() throws {
        let message = TelegramExport.message(
            1, "caption", #""file": "", "media_type": "voice_message", "duration_seconds": 1"#)
        let records = try TelegramExport.records(TelegramExport.chat([message]))
        #expect(records.first?["text"] as? String == "Voice message, 0:01\ncaption")
    }
}
