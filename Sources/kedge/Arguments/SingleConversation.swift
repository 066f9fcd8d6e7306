import Glibc
import Messages
import Mirror

/// The conversation of an archive that holds only one. It is opened without being named, and a list of all would be noise beside it.
enum SingleConversation {
    /// Looks at names alone, since the first frame depends on it.
    /// - Parameters:
    ///   - mirror: nil for an archive of Kedge's own.
    ///   - path: of the archive.
    /// - Returns: nil if there are several, or none.
    static func id(in mirror: MirroredStore?, at path: String) -> ConversationID? {
        if let mirror { return mirror.onlyConversation }
        guard let folder = opendir(path + "/conversations") else { return nil }
        defer { closedir(folder) }
        var only: String?
        while let entry = readdir(folder) {
            // A dot begins the folder itself, the one above, and hidden files.
            if entry.pointee.d_name.0 == CChar(bitPattern: UInt8(ascii: ".")) { continue }
            guard only == nil else { return nil }
            only = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // No conversation has a name that is not UTF-8.
            if only == nil { return nil }
        }
        return only.map { ConversationID($0) }
    }
}
