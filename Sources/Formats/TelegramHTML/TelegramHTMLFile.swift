/// Finds the files of an export.
enum TelegramHTMLFile {
    private static let headSize = 8 << 10

    /// Files that may hold messages: those of one chat in the order of their numbers.
    static func candidates(_ source: Source) -> [SourceFile] {
        if source.isFile { return source.files }
        let numbered = source.files.compactMap { file in number(file.name).map { (file, $0) } }
        return TelegramFolder.withoutSentFiles(
            numbered.sorted { ($0.0.folder, $0.1) < ($1.0.folder, $1.1) }.map(\.0))
    }

    /// 2 for `messages2.html`, 1 for `messages.html`.
    static func number(_ name: Substring) -> Int? {
        guard name.hasPrefix("messages"), name.hasSuffix(".html") else { return nil }
        let digits = name.dropFirst("messages".count).dropLast(".html".count)
        return digits.isEmpty ? 1 : Int(digits)
    }

    /// The name of the chat; nil if the file holds none.
    static func title(of file: SourceFile, in source: Source) -> String? {
        guard let head = try? source.read(file, count: headSize) else { return nil }
        return head.withUnsafeBytes { head -> String? in
            guard head.offset(of: "<title>Exported Data</title>") != nil,
                head.offset(of: "<div class=\"history\">") != nil,
                let name = content(after: "<div class=\"text bold\">", in: head)
            else { return nil }
            return name.isEmpty ? "Deleted Account" : name
        }
    }

    /// The name of the person who exported all data.
    static func me(in source: Source) -> String? {
        guard let file = source.file("export_results.html"), let head = try? source.read(file, count: headSize) else {
            return nil
        }
        return head.withUnsafeBytes { head -> String? in
            var names: [String] = []
            for label in ["\nFirst name\n", "\nLast name\n"] {
                guard let place = head.offset(of: label) else { continue }
                let rest = Bytes(rebasing: head[place...])
                if let name = content(after: "<div class=\"value bold\">", in: rest) { names.append(name) }
            }
            return names.isEmpty ? nil : names.joined(by: " ")
        }
    }

    private static func content(after tag: String, in html: Bytes) -> String? {
        guard let place = html.offset(of: tag) else { return nil }
        let rest = Bytes(rebasing: html[(place + tag.utf8.count)...])
        guard let end = rest.offset(of: "</div>") else { return nil }
        return HTMLEntity.decoded(Bytes(rebasing: rest[..<end]).trimmed).withUnsafeBytes { $0.string }
    }
}
