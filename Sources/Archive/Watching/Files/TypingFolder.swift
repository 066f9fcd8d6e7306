import Glibc
internal import Messages

/// Who is writing in an archive just now: a folder in memory that its processes share, with a file for each that writes,
/// named by the conversation and the process. A file counts as long as it is fresh and its process runs.
package struct TypingFolder: Sendable {
    let path: String
    /// So long after the last key somebody counts as writing, in seconds.
    private let patience: Int

    /// - Parameters:
    ///   - runtime: Kedge's folder for what no restart needs; nil where there is no home for one.
    ///   - archive: the archive's one real path.
    ///   - patience: so long after the last key somebody counts as writing, in seconds.
    package init(runtime: String?, archive: String, patience: Int = 6) {
        self.patience = patience
        path = (runtime ?? "/dev/null") + "/" + String(IDHash(OpaqueID<TypingFolder>(archive)).value, radix: 16)
    }

    /// Makes the folder, for its owner alone. What goes wrong here only hides who writes.
    func make() {
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        if Folder.make(parent) == nil { _ = Folder.make(path) }
    }

    /// Whether nobody else has made it: what is in one of another user's is not read, and nothing is written there.
    private var isOwn: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// Says that this process writes in a conversation, or does not any more.
    func note(_ person: PersonID?, in conversation: ConversationID) {
        let file = file(of: conversation, process: getpid())
        guard let person else {
            unlink(file)
            return
        }
        guard isOwn else { return }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var name = person.rawValue
        _ = name.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Who writes in a conversation in other processes, each once, sorted. Files that do not count any more are removed.
    func people(in conversation: ConversationID, now: Int = time(nil)) -> [PersonID] {
        guard isOwn else { return [] }
        let prefix = TypingFolder.name(of: conversation) + "."
        var found: Set<PersonID> = []
        for name in (try? Folder.names(path)) ?? [] where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count)), process != getpid() else { continue }
            let file = path + "/" + name
            var status = stat()
            guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let isFresh = abs(now - Int(status.st_mtim.tv_sec)) <= patience
            guard isFresh, kill(process, 0) == 0 || errno == EPERM else {
                unlink(file)
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
