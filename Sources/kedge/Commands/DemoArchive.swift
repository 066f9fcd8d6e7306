import ArchiveFormat
import Files
import Glibc
import Messages
import Settings

/// The example archive with which users try Kedge.
enum DemoArchive {
    /// The reader, whatever the settings say.
    static let reader = "ana"
    /// A place in the middle of a conversation.
    static let place = "general/m-001500"

    /// The user's own copy of the demo, which is made at its first use: installed files are never changed. Where no
    /// copy can be made, stderr says why, and the installed demo is used.
    /// - Parameter isFresh: true to replace the previous copy, without its drafts and bookmarks.
    /// - Returns: nil if the demo is not installed.
    static func folder(isFresh: Bool = false) -> String? {
        guard let installed, let data = Folders.ofUser.data else { return self.installed }
        let copy = data + "/demo"
        if !isFresh, isArchive(copy) { return copy }
        do {
            try Disk.makeFolder(data)
            try Disk.copyFolder(installed, to: copy)
            if isFresh { forgetState(of: copy) }
            return copy
        } catch {
            let reason = error.reason
            Output.complain("\(error.path): the demo cannot be copied there (\(reason)); it is opened in \(installed)")
            return installed
        }
    }

    private static func forgetState(of copy: String) {
        let problems = ArchiveState.forget(
            archive: ArchiveLocation.realPath(copy), person: PersonID(reader), folder: Folders.ofUser.state)
        for problem in problems { Output.complain(problem) }
    }

    /// The folder of the demo next to the installed program, or in the repository where it is built.
    static var installed: String? {
        let program = ArchiveLocation.realPath("/proc/self/exe")
        var names = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let installed = names.dropLast().joined(separator: "/") + "/share/kedge/demo"
        if isArchive(installed) { return installed }
        for _ in 0..<4 where !names.isEmpty {
            names = names.dropLast()
            let folder = names.joined(separator: "/") + "/fixtures/demo"
            if isArchive(folder) { return folder }
        }
        return nil
    }

    private static func isArchive(_ folder: String) -> Bool { access(ArchivePaths(folder).label, R_OK) == 0 }
}
