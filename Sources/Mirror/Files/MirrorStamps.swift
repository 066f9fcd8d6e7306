internal import Files
internal import Formats

/// Checks quickly that no file of a mirror has changed since Kedge wrote it.
///
/// A stamp is a hash of the names of files, their inodes, sizes, and times of the last change. Only the system sets `ctime`, one
/// of these times: a program that changes a byte can reset the time of the content, but not this one. So only bits lost by the
/// disk are missed; `kedge index --rebuild` reads all bytes and compares them with their checksums.
extension MirrorFiles {
    /// A hash of a conversation's files, except for unfinished ones.
    func stamp(of id: String) -> UInt64 {
        let folder = folder(of: id)
        var sum: UInt64 = 0
        for name in MirrorFiles.names(in: folder) where !name.hasPrefix("making-") {
            // Addition does not depend on the order.
            sum &+= MirrorFiles.stamp(folder + "/" + name, name)
        }
        return sum
    }

    /// A hash of everything except the conversations' own files: the names of the conversations, and the people.
    var stampOfLabels: UInt64 {
        var sum = MirrorFiles.stamp(label, "label") &+ MirrorFiles.stamp(people, "people")
        for name in MirrorFiles.names(in: conversations) {
            sum &+= Fingerprint.of(name)
        }
        return sum
    }

    /// A hash of the files of the people.
    var stampOfPeople: UInt64 { MirrorFiles.stamp(people, "people") &+ MirrorFiles.stamp(peopleSum, "sum") }

    /// A hash of the names of the conversations and of archive.json.
    var content: UInt64 { MirrorFiles.content(MirrorFiles.sum(of: label), MirrorFiles.names(in: conversations)) }

    /// True if these are the conversations that the source had when the mirror was made.
    func lists(_ names: [String]) -> Bool {
        guard let header = header else { return true }
        return header.content == MirrorFiles.content(MirrorFiles.sum(of: label), names)
    }

    /// - Parameters:
    ///   - label: a hash of the text of archive.json.
    ///   - names: the names of the conversations.
    static func content(_ label: UInt64, _ names: [String]) -> UInt64 {
        names.reduce(label) { $0 &+ Fingerprint.of($1) }
    }

    /// A hash of the text of a small file.
    static func sum(of path: String) -> UInt64 { Fingerprint.of(text(path) ?? "") }

    /// A hash of all files of the native archive.
    var stampOfAll: UInt64 { stampOfAll { stamp(of: $0) } }

    /// Like `stampOfAll`, with the given stamps of conversations.
    func stampOfAll(_ stamp: (String) -> UInt64) -> UInt64 {
        var sum = stampOfLabels
        for name in MirrorFiles.names(in: conversations) {
            var print = Fingerprint()
            print.add(name)
            print.add(Int64(bitPattern: stamp(name)))
            sum &+= print.value
        }
        return sum
    }

    /// A hash of a folder and the folders in it, without hidden files.
    static func stamp(ofTree folder: String) -> UInt64 {
        var sum: UInt64 = 0
        for name in names(in: folder) {
            let path = folder + "/" + name
            var print = Fingerprint()
            print.add(name)
            print.add(Int64(bitPattern: size(path) == nil ? stamp(ofTree: path) : stamp(path, name)))
            sum &+= print.value
        }
        return sum
    }

    /// - Parameter name: the name to use for the file in the stamp.
    private static func stamp(_ path: String, _ name: String) -> UInt64 {
        var print = Fingerprint()
        print.add(name)
        guard let status = try? Disk.existing(path, follows: false) else { return print.value }
        print.add(status.inode)
        print.add(status.type)
        print.add(status.size)
        for time in [status.modified, status.changed] {
            print.add(time.seconds)
            print.add(time.nanoseconds)
        }
        return print.value
    }

    /// The checksum of a file's first bytes; nil if it has fewer.
    static func sum(of path: String, size: Int64) -> UInt64? {
        guard let file = try? OpenFile(reading: path, follows: false) else { return nil }
        var print = Fingerprint()
        var done: Int64 = 0
        while done < size {
            guard let bytes = try? file.bytes(at: done, count: Int(min(1 << 20, size - done))), !bytes.isEmpty else {
                return nil
            }
            print.add(bytes)
            done += Int64(bytes.count)
        }
        return print.value
    }
}
