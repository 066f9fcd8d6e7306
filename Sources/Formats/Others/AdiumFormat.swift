internal import JSON

/// Logs of Adium: `SERVICE.ACCOUNT/PERSON/PERSON (2024-03-05T09.12.33+0000).chatlog/….xml`, a file for each session.
///
///     <message sender="ana" time="2024-03-05T09:12:40+00:00" alias="Ana"><div>low <b>tide</b></div></message>
///     <status type="disconnected" sender="ana" time="…"><div>You have disconnected</div></status>
struct AdiumFormat: LogFormat {
    let id = "adium"
    let name = "Adium logs"

    func candidates(_ source: Source) -> [SourceFile] { Array(source.candidates(".xml", ".chatlog")) }

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        guard let head = try? source.read(file, count: 4 << 10) else { return nil }
        return head.withUnsafeBytes { bytes in
            var scanner = HTMLScanner(bytes)
            while let piece = scanner.next() {
                guard case .tag(let tag) = piece, tag.name == "chat" else { continue }
                guard tag.attribute("service") != nil, let account = tag.attribute("account") else { return nil }
                let place = AdiumFormat.place(of: file)
                return ForeignLog(
                    feed: Feed(file: file.path), title: String(place.split(separator: "/").last ?? "chat"),
                    place: place,
                    me: String(decoding: account, as: UTF8.self))
            }
            return nil
        }
    }

    /// The person's folder, without the folder of the session; without a folder, the name of the file.
    private static func place(of file: SourceFile) -> String {
        var folders = file.folder.split(separator: "/")[...]
        if folders.last?.hasSuffix(".chatlog") == true { folders.removeLast() }
        guard folders.isEmpty else { return folders.joined(separator: "/") }
        return file.name.firstRange(of: " (").map { String(file.name[..<$0.lowerBound]) }
            ?? String(file.name.prefix { $0 != "." })
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        var identity = LineIdentity()
        let isStart = { (bytes: Bytes) in
            bytes.starts(with: "<message ") || bytes.starts(with: "<status ") || bytes.starts(with: "<event ")
                || bytes.starts(with: "<action ")
        }
        return BlockConverter(isStart: isStart) { block, writer in
            AdiumFormat.write(block, &identity, &writer)
        }
    }

    private static func write(
        _ block: Bytes, _ identity: inout LineIdentity, _ writer: inout RecordWriter
    ) -> String? {
        guard let tag = HTMLTag(block, at: 0),
            let time = tag.attribute("time")?.withUnsafeBytes({ DiscordTime.moment($0) })
        else { return "message without a time" }
        let isSaid = tag.name == "message" || tag.name == "action"
        var text = HTMLText.convert(tag.content(of: block))
        Marks.trim(&text, from: 0)
        if text.isEmpty, !isSaid {
            let type = tag.attribute("type") ?? []
            // Events about Adium's window are left out.
            if tag.name == "event", type.starts(with: "window".utf8) { return nil }
            text = type
        }
        let (sender, alias) = (tag.attribute("sender") ?? [], tag.attribute("alias") ?? [])
        writer.message(id: identity.next(at: time, kind: isSaid ? 0 : 2, name: sender, text: text), at: time)
        writer.sender(sender, name: alias.isEmpty ? nil : alias)
        if !isSaid { writer.text("kind", "system") }
        if tag.name == "action" { writer.text("kind", "action") }
        writer.text("text", text)
        return writer.endMessage()
    }
}
