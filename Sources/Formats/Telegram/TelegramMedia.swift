internal import JSON
/// The files of a message, and other content that is not text: places, polls, invoices.
struct TelegramMedia {
    let record: JSONValue
    let folder: Substring

    /// True if the field for a path contains a reason instead. (`(File not included. Change data exporting settings to …)`)
    static func isMissing(_ path: String) -> Bool {
        path.isEmpty || path.hasSuffix("Change data exporting settings to download.)")
            || path.hasSuffix("please try again later)")
    }

    // MARK: - Files

    func attach(to writer: inout RecordWriter) {
        var files: [ForeignAttachment] = []
        if let path = record["photo"]?.string { files.append(file(path, named: nil, "Photo", "photo_file_size")) }
        if let path = record["file"]?.string {
            files.append(file(path, named: record["file_name"]?.string, kind, "file_size"))
        }
        if let path = record["contact_vcard"]?.string, !TelegramMedia.isMissing(path) {
            files.append(file(path, named: nil, "Contact", "contact_vcard_file_size"))
        }
        writer.attachments(files)
    }

    private func file(_ path: String, named name: String?, _ kind: String, _ size: StaticString) -> ForeignAttachment {
        let place = TelegramMedia.isMissing(path) ? nil : Source.inside(path, of: folder)
        let last = place?.split(separator: "/").last.map(String.init)
        let bytes = record[size]?.integer.flatMap { $0 > 0 ? $0 : nil }
        return ForeignAttachment(name: name.flatMap { $0.isEmpty ? nil : $0 } ?? last ?? kind, path: place, size: bytes)
    }

    private var kind: String {
        switch record["media_type"]?.string {
        case "sticker": "Sticker"
        case "video_message": "Video message"
        case "voice_message": "Voice message"
        case "animation": "Animation"
        case "video_file": "Video"
        case "audio_file": "Audio"
        default: record["mime_type"]?.string.map { "File (\($0))" } ?? "File"
        }
    }

    // MARK: - Lines

    /// Adds lines for content that file names do not describe.
    func describe(in text: inout MarkedText) {
        switch record["media_type"]?.string {
        case "sticker": text.addLine([record["sticker_emoji"]?.string ?? "", "Sticker"].joined(by: " "))
        case "voice_message": text.addLine(["Voice message", duration].joined(by: ", "))
        case "video_message": text.addLine(["Video message", duration].joined(by: ", "))
        case "audio_file": text.addLine([song, duration].joined(by: ", "))
        default: break
        }
        if let contact = record["contact_information"] { text.addLine(TelegramMedia.contact(contact)) }
        describePlace(in: &text)
        describePoll(in: &text)
        describeTasks(in: &text)
        describeTrade(in: &text)
        describeGiveaway(in: &text)
    }

    private var duration: String {
        record["duration_seconds"]?.integer.map(ForeignDuration.text) ?? ""
    }

    private var song: String {
        [record["performer"]?.string ?? "", record["title"]?.string ?? ""].joined(by: " – ")
    }

    /// Leaves out the phone number.
    private static func contact(_ value: JSONValue) -> String {
        let name = [value["first_name"]?.string ?? "", value["last_name"]?.string ?? ""].joined(by: " ")
        return name.isEmpty ? "Contact" : "Contact: \(name)"
    }

    private func describePlace(in text: inout MarkedText) {
        guard let place = record["location_information"] ?? record["place_name"] else { return }
        let isLive = record["live_location_period_seconds"] != nil
        let names = [record["place_name"]?.string ?? "", record["address"]?.string ?? ""].joined(by: ", ")
        var point = ""
        if let latitude = place["latitude"]?.number, let longitude = place["longitude"]?.number {
            point = "\(latitude), \(longitude)"
        }
        let details = [names, point].joined(by: ": ")
        text.addLine([isLive ? "Live location" : "Location", details].joined(by: ": "))
    }

    private func describePoll(in text: inout MarkedText) {
        guard let poll = record["poll"] else { return }
        text.addLine("Poll: \(TelegramText.plain(poll["question"]))")
        for answer in poll["answers"].list {
            let votes = TelegramMedia.votes(answer["voters"]?.integer ?? 0)
            let mark = answer["chosen"]?.isTrue == true ? ", chosen" : ""
            text.addLine("- \(TelegramText.plain(answer["text"])): \(votes)\(mark)")
        }
        let end = poll["closed"]?.isTrue == true ? ", final results" : ""
        text.addLine(TelegramMedia.votes(poll["total_voters"]?.integer ?? 0) + end)
    }

    private static func votes(_ count: Int64) -> String {
        count == 0 ? "no votes" : count == 1 ? "1 vote" : "\(count) votes"
    }

    private func describeTasks(in text: inout MarkedText) {
        guard let list = record["todo_list"] else { return }
        text.addLine("To-do list: \(TelegramText.plain(list["title"]))")
        for task in list["answers"].list {
            text.addLine("- \(TelegramText.plain(task["text"]))")
        }
    }

    /// Adds games, invoices and paid media.
    private func describeTrade(in text: inout MarkedText) {
        if let game = record["game_title"]?.string {
            let more = record["game_description"]?.string ?? ""
            text.addLine(["Game: \(game)", more, record["game_link"]?.string ?? ""].joined(by: "\n"))
        }
        if let stars = record["paid_stars_amount"]?.integer { text.addLine("Paid media, \(stars) Stars") }
        guard let invoice = record["invoice_information"] else { return }
        // In some exports, the object is inside a string.
        guard var inner = invoice.string else { return text.addLine(TelegramMedia.invoice(invoice)) }
        let tree = JSONTree()
        inner.withUTF8 { bytes in
            if let value = tree.parse(Bytes(bytes)) { text.addLine(TelegramMedia.invoice(value)) }
        }
    }

    private static func invoice(_ value: JSONValue) -> String {
        let amount = TelegramMoney.text(value["amount"]?.integer, value["currency"]?.string)
        let head = ["Invoice: \(value["title"]?.string ?? "")", amount].joined(by: ", ")
        return [head, value["description"]?.string ?? ""].joined(by: "\n")
    }

    private func describeGiveaway(in text: inout MarkedText) {
        if let giveaway = record["giveaway_information"] {
            let prizes = giveaway["quantity"]?.integer ?? 0
            let until = giveaway["until_date"]?.string.map { "until \($0.prefix(10))" } ?? ""
            let prize = giveaway["additional_prize"]?.string ?? ""
            text.addLine(["Giveaway: \(prizes) \(prizes == 1 ? "prize" : "prizes")", prize, until].joined(by: ", "))
        }
        if let results = record["giveaway_results"] {
            let winners = results["winners_count"]?.integer ?? 0
            let prize = results["additional_prize"]?.string ?? ""
            text.addLine(
                ["Giveaway results: \(winners) \(winners == 1 ? "winner" : "winners")", prize].joined(by: ", "))
        }
    }
}

extension [String] {
    /// The strings that are not empty.
    func joined(by separator: String) -> String { filter { !$0.isEmpty }.joined(separator: separator) }
}
