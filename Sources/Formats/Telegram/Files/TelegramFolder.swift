/// Which files of a folder may be exports.
enum TelegramFolder {
    /// Leaves out files that people sent to a chat: an export among them is no export of this person. They lie in `files`, in the
    /// folder of an export or below it.
    static func withoutSentFiles(_ files: [SourceFile]) -> [SourceFile] {
        let folders = Set(files.map { String($0.folder) })
        return files.filter { file in
            let parts = file.folder.split(separator: "/")
            guard parts.last == "files" else { return true }
            return !(0..<parts.count).contains { folders.contains(parts[..<$0].joined(separator: "/")) }
        }
    }
}
