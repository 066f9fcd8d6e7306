import Glibc
import Messages
import Mirror

/// Whether an archive holds a single conversation. A list of them all would be noise beside it.
enum SingleConversation {
    /// Looks at names alone, since the first frame depends on it.
    /// - Parameter path: of the archive.
    static func isAll(of store: any MessageStore, at path: String) -> Bool {
        if let mirrored = store as? MirroredStore { return mirrored.onlyConversation != nil }
        guard let folder = opendir(path + "/conversations") else { return false }
        defer { closedir(folder) }
        var count = 0
        while count < 2, let entry = readdir(folder) {
            // A dot begins the folder itself, the one above, and hidden files.
            if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
        }
        return count == 1
    }
}
