import Display
import Logging
import Messages
import Settings

import Glibc

/// The log: what goes wrong while the screen belongs to the conversation. The file is made when there is something to
/// say, and a log that cannot be written is no reason to stop.
struct Log: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let folder: String?

    static func logger(in folders: Folders) -> Logger {
        Logger(label: "kedge") { _ in Log(folder: folders.state) }
    }

    /// Of this user; nil where there is no home.
    static var path: String? {
        Folders(environment: Environment.variables).state.map { path(in: $0) }
    }

    private static func path(in folder: String) -> String { folder + "/kedge.log" }

    static var silent: Logger { Logger(label: "kedge") { _ in SwiftLogNoOpLogHandler() } }

    private init(folder: String?) { self.folder = folder }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard let folder, (try? PrivateFolder.make(folder)) != nil else { return }
        let path = Log.path(in: folder)
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        guard (try? PrivateFolder.closeToOthers(file, path, 0o600)) != nil else { return }
        // One write of one line, so that lines of several processes do not mix.
        let line = Array("\(Timestamp.now.iso8601) \(event.level) \(CleanText("\(event.message)"))\n".utf8)
        _ = write(file, line, line.count)
    }
}
