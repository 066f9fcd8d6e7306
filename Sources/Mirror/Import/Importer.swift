package import Messages

internal import Formats
import Glibc

/// Copies an export into an archive of Kedge's own, in which people go on writing.
///
/// Records that the archive holds already stay as they are: a second import adds only the new ones. An import that was cut
/// off goes on where it was.
package struct Importer {
    /// The result of an import.
    package struct Summary: Sendable {
        package var conversations = 0
        /// Records that were added.
        package var added = 0
        /// Records that were there.
        package var known = 0
        /// Attached files that were copied.
        package var files = 0
        /// Attached files that the export names and does not hold.
        package var missingFiles = 0
    }

    private let store: MirroredStore
    private let destination: String
    private let me: PersonID?

    /// - Parameters:
    ///   - store: the export.
    ///   - destination: a folder that is an archive or does not exist.
    ///   - me: who the reader is in a new archive; nil for the person whom the export names, if it names one.
    package init(_ store: MirroredStore, to destination: String, me: PersonID? = nil) {
        (self.store, self.me) = (store, me)
        self.destination = destination
    }

    /// Brings everything into the archive.
    /// - Parameter progress: called with bytes of the mirror.
    /// - Throws: `unreadable` for a destination that is something else; `unavailable` without room.
    package func run(progress: (_ done: Int64, _ total: Int64) -> Void) throws(StoreError) -> Summary {
        let mirror = MirrorFiles(root: store.folder)
        try prepare(from: mirror)
        let ids = MirrorFiles.names(in: mirror.conversations).sorted()
        let total = ids.reduce(Int64(0)) {
            $0 + MirrorFiles.segments(in: mirror.folder(of: $1)).reduce(0) { $0 + $1.size }
        }
        var (summary, done) = (Summary(conversations: ids.count), Int64(0))
        for id in ids {
            let target = destination + "/conversations/" + id
            try MirrorFiles.make(folder: target, isPrivate: false)
            if access(target + "/conversation.json", F_OK) != 0,
                let text = MirrorFiles.text(mirror.folder(of: id) + "/conversation.json")
            {
                try MirrorFiles.replace(target + "/conversation.json", by: text)
            }
            let copy = try ConversationCopy(into: target)
            for segment in MirrorFiles.segments(in: mirror.folder(of: id)) {
                try copy.add(segment.path, size: segment.size) { progress(done + $0, total) }
                done += segment.size
            }
            try copy.finish()
            summary.added += copy.added
            summary.known += copy.known
            let files = try store.copy(copy.paths, to: destination)
            summary.files += files.copied
            summary.missingFiles += files.missing
        }
        return summary
    }

    /// Makes the archive, or makes sure that there is one.
    private func prepare(from mirror: MirrorFiles) throws(StoreError) {
        let label = destination + "/archive.json"
        if access(label, F_OK) != 0 {
            guard MirrorFiles.names(in: destination).isEmpty else {
                throw .unreadable("\(destination): has files and is no archive; name an archive or a new folder")
            }
            try MirrorFiles.make(folder: destination + "/conversations", isPrivate: false)
            guard let text = MirrorFiles.text(mirror.label) else { throw MirrorFiles.error(EIO, mirror.label) }
            try MirrorFiles.replace(label, by: ImportTarget.label(text, source: store.source, me: me))
        }
        var people = PeopleFile(destination + "/people.json")
        try people.add(PeopleFile(of: mirror).all, isNewest: false)
        if access(destination + "/people.json", F_OK) != 0 { try people.write() }
    }
}
