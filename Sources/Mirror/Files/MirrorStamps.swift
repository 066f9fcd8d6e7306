internal import Formats
import Glibc
internal import Messages

extension MirrorFiles {
    /// Replaces a file as a whole: readers see the old one or the new one.
    static func replace(_ path: String, by text: String) throws(StoreError) {
        let temporary = path + ".new"
        do {
            var file = try UnnamedFile(temporary)
            try file.append(Array(text.utf8))
            try file.finish(as: path)
        }
    }
}

/// Tells cheaply that no file of a mirror has changed since Kedge wrote it.
///
/// A stamp stands for the names of files with their numbers, sizes, and times of the last change. One of these times, `ctime`, is the
/// system's own: a program that changes a byte can set back the time of the content, never this one. Only a disk that loses bits
/// by itself is not noticed; `kedge index --rebuild` reads all bytes and compares them with their checksums.
extension MirrorFiles {
    /// Stands for the files of a conversation, without those that are being made.
    func stamp(of id: String) -> UInt64 {
        let folder = folder(of: id)
        var sum: UInt64 = 0
        for name in MirrorFiles.names(in: folder) where !name.hasPrefix("making-") {
            // A sum needs no order.
            sum &+= MirrorFiles.stamp(folder + "/" + name, name)
        }
        return sum
    }

    /// Stands for everything besides the conversations' own files: the names of the conversations, and the people.
    var stampOfLabels: UInt64 {
        var sum = MirrorFiles.stamp(label, "label") &+ MirrorFiles.stamp(people, "people")
        for name in MirrorFiles.names(in: conversations) {
            sum &+= Fingerprint.of(name)
        }
        return sum
    }

    /// Stands for the files of the people.
    var stampOfPeople: UInt64 { MirrorFiles.stamp(people, "people") &+ MirrorFiles.stamp(peopleSum, "sum") }

    /// Stands for the names of the conversations and for what archive.json says.
    var content: UInt64 { MirrorFiles.content(MirrorFiles.sum(of: label), MirrorFiles.names(in: conversations)) }

    /// Whether these are the conversations of the source, as the mirror was made from it.
    func lists(_ names: [String]) -> Bool {
        guard let header = MirrorFiles.text(source).flatMap(MirrorHeader.init(text:)) else { return true }
        return header.content == MirrorFiles.content(MirrorFiles.sum(of: label), names)
    }

    /// - Parameters:
    ///   - label: stands for the text of archive.json.
    ///   - names: of the conversations.
    static func content(_ label: UInt64, _ names: [String]) -> UInt64 {
        names.reduce(label) { $0 &+ Fingerprint.of($1) }
    }

    /// Stands for the text of a small file.
    static func sum(of path: String) -> UInt64 { Fingerprint.of(text(path) ?? "") }

    /// Stands for all files of the native archive.
    var stampOfAll: UInt64 { stampOfAll { stamp(of: $0) } }

    /// The same, with stamps of conversations that are known.
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

    /// Stands for a folder and the folders in it, without hidden files.
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

    /// - Parameter name: what the file is called in the stamp.
    private static func stamp(_ path: String, _ name: String) -> UInt64 {
        var print = Fingerprint()
        print.add(name)
        var status = stat()
        guard lstat(path, &status) == 0 else { return print.value }
        print.add(status.st_ino)
        print.add(status.st_mode & S_IFMT)
        print.add(status.st_size)
        for time in [status.st_mtim, status.st_ctim] {
            print.add(time.tv_sec)
            print.add(time.tv_nsec)
        }
        return print.value
    }

    /// The checksum of a file's first bytes; nil if it has fewer.
    static func sum(of path: String, size: Int64) -> UInt64? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var print = Fingerprint()
        var done: Int64 = 0
        while done < size {
            let (bytes, code) = PositionedRead.bytes(of: descriptor, at: done, count: Int(min(1 << 20, size - done)))
            guard code == 0, !bytes.isEmpty else { return nil }
            print.add(bytes)
            done += Int64(bytes.count)
        }
        return print.value
    }
}
