import Display
package import Messages

/// How the search for a file of a message goes.
package enum FileNews: Hashable, Sendable {
    /// It is being fetched, and this number of bytes has come.
    case coming(received: Int64)
    /// - Parameter isExecutable: whether it may be run as a program.
    case here(path: String, isExecutable: Bool = false)
    case failed(StoreError)
}

/// Files that the user opens.
extension Model {
    mutating func find(_ file: MessageFile) -> [Effect] {
        _ = tasks.begin(.open(file))
        return [.findFile(file)]
    }

    mutating func take(_ news: FileNews, about file: MessageFile) -> [Effect] {
        switch news {
        case .coming(let received):
            // The status line says it from now on, and notices of other things stay.
            if tasks.note(received: received, of: .open(file)), notice?.text == opening(file) { notice = nil }
        case .here(let path, let isExecutable):
            guard let wasFetched = tasks.end(.open(file)) else { return [] }
            if let prompt = FileRiskPrompt(path, isExecutable: isExecutable, shownAs: file.attachment.name) {
                askBeforeOpening(prompt)
                return []
            }
            if wasFetched { tell(opening(file)) }
            return [.openFile(path: path)]
        case .failed(let error):
            if let again = tasks.fail(.open(file), error) {
                if notice?.text == opening(file) { notice = nil }
                return [again]
            }
            if tasks.end(.open(file)) != nil { warn(error.reason) }
        }
        return []
    }

    /// Does not ask in the place of something that the user is doing: there a key would be an answer by accident.
    private mutating func askBeforeOpening(_ prompt: FileRiskPrompt) {
        guard panel == nil || panel == .picture else { return warn("not opened: \(prompt.reason)") }
        if notice?.isWarning == false { notice = nil }
        ask(prompt)
    }

    private func opening(_ file: MessageFile) -> String { "opening \(file.attachment.name)" }
}

/// Asks before the desktop gets a file that it may run, or that is of another kind than the name on the screen says. Only `y`
/// opens it.
struct FileRiskPrompt: Prompt {
    private let path: String
    /// Names the file as it is on the disk.
    let reason: String

    /// Nil for a picture, sound, film, text or PDF that is shown as one.
    /// - Parameters:
    ///   - isExecutable: whether the file may be run as a program.
    ///   - name: as the screen shows it.
    init?(_ path: String, isExecutable: Bool, shownAs name: String) {
        let real = path.split(separator: "/").last.map(String.init) ?? path
        let (ending, shown) = (FileRiskPrompt.ending(real), FileRiskPrompt.ending(CleanText(name).string))
        let mayRun = isExecutable || !FileRiskPrompt.harmless.contains(ending)
        let isAnother = !shown.isEmpty && FileRiskPrompt.kind(shown) != FileRiskPrompt.kind(ending)
        guard mayRun || isAnother else { return nil }
        self.path = path
        reason = (name == real ? real : "\(name) is the file \(real)") + (mayRun ? ", which may run a program" : "")
    }

    /// In lower case, without the dot.
    private static func ending(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// One name for the endings of one kind.
    private static func kind(_ ending: String) -> String {
        switch ending {
        case "jpeg", "jpe", "jfif": "jpg"
        case "tif": "tiff"
        case "oga", "ogv", "opus": "ogg"
        case "mpeg": "mpg"
        case "text", "log", "md": "txt"
        default: ending
        }
    }

    private static let harmless: Set<String> = [
        "png", "jpg", "jpeg", "jpe", "jfif", "gif", "webp", "bmp", "tif", "tiff", "heic", "heif", "avif", "ico",
        "mp3", "ogg", "oga", "opus", "flac", "wav", "m4a", "aac", "wma", "amr", "mid",
        "mp4", "m4v", "mkv", "webm", "mov", "avi", "mpg", "mpeg", "3gp", "ogv", "wmv",
        "txt", "text", "log", "md", "csv", "tsv", "pdf",
    ]

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        return key == .character("y") ? [.close, .effect(.openFile(path: path))] : [.close]
    }

    func view(in context: Context) -> PanelView {
        .question(CleanText("\(reason): y opens it, any other key does not"), isWarning: true)
    }
}
