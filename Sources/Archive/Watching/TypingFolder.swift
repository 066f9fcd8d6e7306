internal import Files
import Glibc
internal import Messages

/// Shares who is writing in an archive among processes: a folder in memory with a file for each conversation and process. The
/// file names the person. The file counts while it is fresh and its process runs.
package struct TypingFolder: Sendable {
    let path: String
    /// The number of seconds after the last key during which a person counts as typing.
    private let patience: Int

    /// - Parameters:
    ///   - runtime: Kedge's folder for data that need not survive a restart; nil if there is none.
    ///   - archive: the canonical path of the archive.
    ///   - patience: the number of seconds after the last key during which a person counts as typing.
    package init(runtime: String?, archive: String, patience: Int = 6) {
        self.patience = patience
        path = (runtime ?? "/dev/null") + "/" + String(IDHash(OpaqueID<TypingFolder>(archive)).value, radix: 16)
    }

    /// Creates the folder, accessible only to its owner. Errors are ignored: their only effect is that people who are
    /// writing are not shown.
    func make() {
        for folder in [Disk.folder(of: path), path] {
            guard (try? Disk.makeFolder(folder)) != nil else { return }
        }
    }

    /// True if the folder belongs to this user. Another user's folder is neither read nor written.
    private var isOwn: Bool {
        (try? Disk.existing(path))?.isOwn ?? false
    }

    /// Records that a person is typing in this process; nil removes the record.
    func note(_ person: PersonID?, in conversation: ConversationID) {
        let file = file(of: conversation, process: getpid())
        guard let person else {
            Disk.remove(file)
            return
        }
        guard isOwn else { return }
        try? Disk.replace(file, with: Array(person.rawValue.utf8), isSynced: false)
    }

    /// The people who are writing in a conversation in other processes, each once, sorted. Removes outdated files.
    func people(in conversation: ConversationID, now: Int = time(nil)) -> [PersonID] {
        guard isOwn else { return [] }
        let prefix = TypingFolder.name(of: conversation) + "."
        var found: Set<PersonID> = []
        for name in (try? Folder.names(path)) ?? [] where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count)), process != getpid() else { continue }
            let file = path + "/" + name
            guard let status = try? Disk.existing(file, follows: false), status.isFile else { continue }
            let isFresh = abs(now - status.modified.seconds) <= patience
            guard isFresh, kill(process, 0) == 0 || errno == EPERM else {
                Disk.remove(file)
                continue
            }
            guard let text = try? SmallFile(file, limit: 1_024) else { continue }
            if let id = String(validating: text.slice.bytes, as: UTF8.self), !id.isEmpty { found.insert(PersonID(id)) }
        }
        return found.sorted { $0.rawValue < $1.rawValue }
    }

    private func file(of conversation: ConversationID, process: pid_t) -> String {
        "\(path)/\(TypingFolder.name(of: conversation)).\(process)"
    }

    private static func name(of conversation: ConversationID) -> String {
        String(IDHash(conversation).value, radix: 16)
    }
}
