import Glibc
package import Messages

/// Makes an archive.
package enum NewArchive {
    /// Makes an empty archive in a folder that is new or empty.
    /// - Parameter me: the person who writes in it.
    /// - Throws: `notSent` with one line that names the path.
    package static func make(at path: String, name: String, me: PersonID) throws(StoreError) {
        guard access(path + "/archive.json", F_OK) != 0 else {
            throw .notSent("\(path): already an archive; open it, or name a new folder")
        }
        if try Folder.exists(path), let entry = try Folder.entries(path).first {
            throw .notSent("\(path): not empty (\(printable(entry.name))); name a new or an empty folder")
        }
        try NewFile.makeFolders(path)
        let code = NewFile.makeFolder(path + "/conversations")
        guard code == 0 else { throw WriteFailure.error(code, path + "/conversations") }
        try NewFile.write(
            RecordEncoder.line(["id": me.rawValue, "name": me.rawValue], in: ("[", "]")), to: path + "/people.json")
        // Last, since this file makes the folder an archive.
        try NewFile.write(
            RecordEncoder.line(["format": "kedge", "name": name, "me": me.rawValue], numbers: ["version": "1"]),
            to: path + "/archive.json")
        NewFile.syncNames(of: path)
    }
}
