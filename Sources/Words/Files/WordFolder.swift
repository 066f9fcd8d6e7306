internal import Files
import Glibc

/// The folder of an archive's words: word files that never change, and the manifest, which names the current ones.
package struct WordFolder: Sendable {
    package let path: String

    /// - Parameter path: a folder in which no other name begins with `words`.
    package init(_ path: String) { self.path = path }

    package var manifest: String { path + "/words" }

    func shard(_ number: UInt32) -> String { path + "/words-\(number)" }

    /// Removes all words. Readers that have them open can still read them.
    package func removeAll() {
        unlink(manifest)
        removeFiles { _ in false }
    }

    /// The paths of all word files, even of those that the manifest does not name.
    package var files: [String] {
        var files = [manifest]
        forEachFile { files.append(path + "/" + $0) }
        return files
    }

    /// Replaces its words with those of another folder. Readers that have the old ones open can still read them. The
    /// manifest is moved last; until then there are no words.
    /// - Throws: `system`
    package func take(_ other: WordFolder) throws(WordFault) {
        removeAll()
        var names: [String] = []
        other.forEachFile { names.append($0) }
        for name in names + ["words"] {
            // An archive that needs no words has no manifest.
            guard rename(other.path + "/" + name, path + "/" + name) != 0, errno != ENOENT else { continue }
            throw .system(file: path + "/" + name, code: errno)
        }
    }

    /// Removes files left by a killed process, and files that no reader will open again.
    func removeStrays(besides manifest: WordManifest) {
        let names = Set(manifest.shards.map { "words-\($0.number)" })
        removeFiles { names.contains($0) }
    }

    private func removeFiles(besides isWanted: (String) -> Bool) {
        forEachFile { if !isWanted($0) { unlink(path + "/" + $0) } }
    }

    /// Calls `body` with the name of every word file except the manifest.
    private func forEachFile(_ body: (String) -> Void) {
        try? Disk.forEachEntry(of: path) { entry in
            // Earlier versions of Kedge used other names with this beginning.
            let isOurs = entry.name.hasPrefix("words") && entry.name != "words"
            if isOurs { body(entry.name) }
            return true
        }
    }
}
