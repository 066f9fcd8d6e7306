import Settings

import Glibc

/// The archive to try Kedge with.
enum DemoArchive {
    /// The reader, whatever the settings say.
    static let reader = "ana"
    /// A place in the middle of a conversation.
    static let place = "general/m-001500"

    /// The folder of the demo: beside the program where it is installed, or in the repository where it is built.
    static var folder: String? {
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

    private static func isArchive(_ folder: String) -> Bool { access(folder + "/archive.json", R_OK) == 0 }
}
