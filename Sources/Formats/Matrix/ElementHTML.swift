internal import Dates
internal import JSON

/// Exports of Element in HTML: `messages.html`, `messages2.html` …, a thousand events each.
///
///     <li><div class="mx_DateSeparator"><h2 class="mx_DateSeparator_dateHeading">Tue, Mar 5, 2024</h2></div></li>
///     <div class="mx_Export_EventWrapper" id="$1"><li class="mx_EventTile"><span class="mx_DisambiguatedProfile_displayName">Ana</span>
///     <span class="mx_MessageTimestamp" title="Tue, Mar 5 2024 09:12:40">09:12</span><div class="mx_MTextBody"><span
///     class="mx_EventTile_body">low tide</span></div></li></div>
///
/// Facts (matrix-react-sdk: HtmlExport.tsx, EventTile.tsx, ReplyChain.tsx): times are in the exporter's zone; since 2024 they
/// have no date, and the day is in a separator before them. A tile that continues another has no name. Reactions and the earlier
/// texts of edited messages are left out; a reply names its target (`data-scroll-to`). Copies of files are next to the page, in
/// `images/` and similar folders.
struct ElementHTMLFormat: LogFormat {
    let id = "element-html"
    let name = "Element export in HTML"

    func candidates(_ source: Source) -> [SourceFile] { Array(source.candidates(".html")) }

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        guard let head = try? source.read(file, count: 64 << 10),
            let sample = head.withUnsafeBytes({ ElementHTMLFormat.sample($0) })
        else { return nil }
        let (order, problems) = MomentReader.setting(of: file, in: source, sample: sample) {
            ElementHTMLFormat.converter(Feed(file: file.path), $0)
        }
        let (title, topic) = head.withUnsafeBytes {
            (ElementHTMLFormat.text("nametext", $0), ElementHTMLFormat.text("topic", $0))
        }
        let digits = file.name.drop { !$0.isNumber }.prefix { $0.isNumber }
        let place = file.folder.isEmpty && source.isFile ? file.path : String(file.folder)
        return ForeignLog(
            feed: Feed(file: file.path, setting: order), title: title.isEmpty ? source.name : title, place: place,
            number: Int(digits) ?? 1, topic: topic.isEmpty ? nil : topic, problems: problems)
    }

    private static let event: StaticString = "mx_Export_EventWrapper"
    private static let starts: [StaticString] = [event, "mx_DateSeparator", "mx_TimelineSeparator"]

    /// The first text that contains a day; empty if there are only events without one, nil if there is no event.
    private static func sample(_ bytes: Bytes) -> String? {
        let places = HTMLScanner.tags(ofClass: starts, in: bytes)
        var (hasEvent, day) = (false, "")
        for (index, start) in places.enumerated() {
            let block = Bytes(rebasing: bytes[start..<(index + 1 < places.count ? places[index + 1] : bytes.count)])
            guard let tag = HTMLTag(block, at: 0) else { continue }
            hasEvent = hasEvent || tag.hasClass(event)
            let text = tag.hasClass(event) ? Tile(block).time : HTMLText.string(block)
            if day.isEmpty, WrittenMoment(text).day != nil { day = text }
        }
        return hasEvent ? day : nil
    }

    /// The text of the element in the head whose class ends this way: the name differs between versions.
    private static func text(_ ending: String, _ html: Bytes) -> String {
        var scanner = HTMLScanner(html)
        while let tag = scanner.nextTag() {
            let classes = String(decoding: tag.attribute("class") ?? [], as: UTF8.self)
            if classes.contains("mx_RoomView_MessageList") { break }
            guard classes.contains("RoomHeader_"), classes.hasSuffix("_" + ending) else { continue }
            return HTMLText.string(tag.content(of: html))
        }
        return ""
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        ElementHTMLFormat.converter(feed, MomentReader(context.zone, setting: feed.setting))
    }

    private static func converter(_ feed: Feed, _ times: MomentReader) -> BlockConverter {
        var (day, sender) = (Int?.none, (id: [UInt8](), name: [UInt8]()))
        let folder = feed.folder
        return BlockConverter(starts: { HTMLScanner.tags(ofClass: starts, in: $0) }) { block, writer in
            guard let first = HTMLTag(block, at: 0) else { return "incomplete element" }
            guard first.hasClass(event) else {
                let text = HTMLText.string(block)
                day = times.day(text) ?? day
                return nil
            }
            guard let id = first.attribute("id"), !id.isEmpty else { return "event without an ID" }
            let tile = Tile(block)
            guard let time = times.moment(tile.time, day: day) else { return "event without a time" }
            if !tile.name.isEmpty { sender = (tile.person.isEmpty ? tile.name : tile.person, tile.name) }
            writer.message(id: id, at: time)
            if !tile.isNotice { writer.sender(sender.id, name: sender.name) }
            if tile.isNotice { writer.text("kind", "system") } else if tile.isAction { writer.text("kind", "action") }
            if tile.isDeleted {
                writer.flag("deleted")
            } else {
                writer.text("text", tile.text)
                writer.attachments(tile.files(in: folder))
            }
            if !tile.target.isEmpty { writer.text("replyTo", tile.target) }
            if tile.isEdited { writer.flag("edited") }
            return writer.endMessage()
        }
    }

    /// An event as the page shows it.
    private struct Tile {
        var (name, person, target, text) = ([UInt8](), [UInt8](), [UInt8](), [UInt8]())
        /// The longest text that contains its time.
        var time = ""
        var (isNotice, isAction, isDeleted, isEdited) = (false, false, false, false)
        var paths: [String] = []

        init(_ block: Bytes) {
            var scanner = HTMLScanner(block)
            var (body, others) = ([UInt8](), [UInt8]())
            while let tag = scanner.nextTag() {
                let inside = tag.inside(block)
                let html = Bytes(rebasing: block[inside])
                func isOf(_ name: StaticString) -> Bool { tag.hasClass(name) }
                if isOf("mx_DisambiguatedProfile_displayName") || isOf("mx_SenderProfile_displayName")
                    || isOf("mx_SenderProfile_name")
                {
                    name = HTMLText.convert(html)
                } else if isOf("mx_DisambiguatedProfile_mxid") || isOf("mx_SenderProfile_mxid") {
                    person = HTMLText.convert(html)
                } else if isOf("mx_BaseAvatar"), let title = tag.attribute("title"), title.first == UInt8(ascii: "@") {
                    if person.isEmpty { person = title }
                } else if isOf("mx_MessageTimestamp") {
                    time = String(decoding: tag.attribute("title") ?? HTMLText.convert(html), as: UTF8.self)
                } else if isOf("mx_ReplyChain_Export") || isOf("mx_ReplyThread_Export") || isOf("mx_ReplyChain") {
                    target = Tile.target(html)
                } else if isOf("mx_EventTile_edited") {
                    isEdited = true
                } else if isOf("mx_RedactedBody") {
                    isDeleted = true
                } else if isOf("mx_MEmoteBody") {
                    isAction = true
                    continue
                } else if isOf("mx_EventTile_body") {
                    body = HTMLText.convert(html)
                } else if isOf("mx_TextualEvent") || isOf("mx_EventTileBubble") {
                    isNotice = true
                    body = HTMLText.convert(html)
                } else if Tile.isMedia(tag) {
                    others = note(html)
                } else if isOf("mx_UnknownBody") || isOf("mx_MPollBody") || isOf("mx_MLocationBody")
                    || isOf("mx_DecryptionFailureBody")
                {
                    others = HTMLText.convert(html)
                } else {
                    continue
                }
                scanner = HTMLScanner(block, from: inside.upperBound)
            }
            text = body.isEmpty ? others : body
        }

        private static func isMedia(_ tag: HTMLTag) -> Bool {
            (["mx_MFileBody", "mx_MImageBody", "mx_MVideoBody", "mx_MAudioBody", "mx_MStickerBody"] as [StaticString])
                .contains {
                    tag.hasClass($0)
                }
        }

        /// The ID in `data-scroll-to` or `href="#…"`.
        private static func target(_ html: Bytes) -> [UInt8] {
            var scanner = HTMLScanner(html)
            while let piece = scanner.next() {
                guard case .tag(let tag) = piece, tag.name == "a" else { continue }
                if let id = tag.attribute("data-scroll-to") { return id }
                if let id = tag.attribute("href"), id.first == UInt8(ascii: "#") { return Array(id.dropFirst()) }
            }
            return []
        }

        /// Records the files of an element.
        /// - Returns: the text of the element, if it has no file.
        private mutating func note(_ html: Bytes) -> [UInt8] {
            let addresses = HTMLScanner.addresses(in: html)
            paths += addresses.filter { !$0.hasPrefix("data:") && !$0.hasPrefix("blob:") && !paths.contains($0) }
            return paths.isEmpty ? HTMLText.convert(html) : []
        }

        func files(in folder: Substring) -> [ForeignAttachment] {
            paths.map { ForeignAttachment(at: $0, in: folder, isEncoded: true) }
        }
    }
}
