import Glibc

/// Where the words of an archive lie: files of words that never change, and the manifest that names those that count.
package struct WordFolder: Sendable {
    package let path: String

    /// - Parameter path: of a folder that holds nothing else whose name begins with `words`.
    package init(_ path: String) { self.path = path }

    package var manifest: String { path + "/words" }

    func shard(_ number: UInt32) -> String { path + "/words-\(number)" }

    /// Removes all words. Those who have them open still see them.
    package func removeAll() {
        unlink(manifest)
        removeFiles { _ in false }
    }

    /// The paths of all files of words, also of those that do not count.
    package var files: [String] {
        var files = [manifest]
        forEachFile { files.append(path + "/" + $0) }
        return files
    }

    /// Takes the words of another folder in place of its own. Those who have its own open still see them. Until the manifest
    /// is there, which comes last, there are none.
    /// - Throws: `system`
    package func take(_ other: WordFolder) throws(WordFault) {
        removeAll()
        var names: [String] = []
        other.forEachFile { names.append($0) }
        for name in names + ["words"] {
            // There is no manifest where no words are wanted.
            guard rename(other.path + "/" + name, path + "/" + name) != 0, errno != ENOENT else { continue }
            throw .system(file: path + "/" + name, code: errno)
        }
    }

    /// Removes what a process has left behind that was killed, and what no reader will open again.
    func removeStrays(besides manifest: WordManifest) {
        let names = Set(manifest.shards.map { "words-\($0.number)" })
        removeFiles { names.contains($0) }
    }

    private func removeFiles(besides isWanted: (String) -> Bool) {
        forEachFile { if !isWanted($0) { unlink(path + "/" + $0) } }
    }

    /// Gives the names of all files of words but the manifest.
    private func forEachFile(_ body: (String) -> Void) {
        guard let folder = opendir(path) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            // Also what earlier versions of Kedge called so.
            let isOurs = name.hasPrefix("words") && name != "words"
            if isOurs { body(name) }
        }
    }
}
