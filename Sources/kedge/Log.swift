import Display
import FoundationEssentials
import Logging
import Messages
import Settings

import Glibc

/// The log: what goes wrong while the screen belongs to the conversation. The file is made when there is something to
/// say, and a log that cannot be written is no reason to stop.
struct Log: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let folder: String

    static func logger(in folders: Folders) -> Logger {
        Logger(label: "kedge") { _ in Log(folder: folders.state) }
    }

    static var silent: Logger { Logger(label: "kedge") { _ in SwiftLogNoOpLogHandler() } }

    private init(folder: String) { self.folder = folder }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = open(folder + "/kedge.log", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        // One write of one line, so that lines of several processes do not mix.
        let line = Array("\(Timestamp.now.iso8601) \(event.level) \(CleanText("\(event.message)"))\n".utf8)
        _ = write(file, line, line.count)
    }
}
