import Display
import Logging
import Messages
import Settings

import Glibc

/// The log, for problems that come up while the screen shows a conversation. The file is created with its first line. When it
/// cannot be written, the program goes on.
struct Log: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let folder: String?

    static func logger(in folders: Folders) -> Logger {
        Logger(label: "kedge") { _ in Log(folder: folders.state) }
    }

    /// The log of this user; nil where there is no home folder.
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
        // A single write for the line, so that the lines of several processes do not mix.
        let line = Array("\(Timestamp.now.iso8601) \(event.level) \(CleanText("\(event.message)"))\n".utf8)
        _ = write(file, line, line.count)
    }
}
