import Glibc
import Testing

@testable import Files

/// A folder that is deleted with this object.
private final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/kedge-files-XXXXXX".utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { Disk.remove(path) }

    func text(_ name: String) throws -> String? {
        try Disk.read(path + "/" + name, limit: 1_000_000).map { String(decoding: $0, as: UTF8.self) }
    }

    var names: [String] { get throws { try Disk.entries(of: path).map(\.name).sorted() } }
}

struct FilesTests {
    private let folder: Folder
    private var file: String { folder.path + "/file" }

    init() throws { folder = try Folder() }

    // MARK: - Reading

    @Test func `A small file is read whole, up to its limit`() throws {
        let bytes = [UInt8](0...255)
        try Disk.create(file, bytes)
        #expect(try Disk.read(file, limit: 256) == bytes)
        #expect(throws: FileError(.read, file, .tooLarge(255))) { try Disk.read(file, limit: 255) }
        #expect(try Disk.read(folder.path + "/none", limit: 1) == nil)
        #expect(try Disk.read(file + "/none", limit: 1) == nil)
    }

    @Test func `A file that the system makes up is read, although it has no size`() throws {
        let text = try #require(try Disk.read("/proc/self/maps", limit: 1 << 24))
        #expect(text.count > 0)
        #expect(text.last == UInt8(ascii: "\n"))
    }

    @Test func `Bytes are read at an offset, fewer where the file ends`() throws {
        try Disk.create(file, Array("0123456789".utf8))
        let open = try OpenFile(reading: file)
        #expect(try open.bytes(at: 3, count: 4) == Array("3456".utf8))
        #expect(try open.bytes(at: 8, count: 4) == Array("89".utf8))
        #expect(try open.bytes(at: 99, count: 4) == [])
        var buffer = [UInt8](repeating: 0, count: 4)
        let error = buffer.withUnsafeMutableBytes { buffer in
            #expect(throws: FileError.self) { try open.read(into: buffer, at: 8) }
        }
        #expect(error?.cause == .shorter)
    }

    @Test func `A pipe, a folder, a socket and a link are no files, and none of them is waited for`() throws {
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder.path, "/dev/zero"] {
            #expect(throws: FileError(.read, path, .irregular)) { try Disk.read(path, limit: 10) }
        }
        #expect(throws: FileError(.write, pipe, .irregular)) { _ = try OpenFile(appendingTo: pipe) }
        try Disk.create(file, [1])
        symlink(file, folder.path + "/link")
        #expect(try Disk.read(folder.path + "/link", limit: 10) == [1])
        #expect(throws: FileError(.read, folder.path + "/link", code: ELOOP)) {
            try Disk.read(folder.path + "/link", limit: 10, follows: false)
        }
    }

    // MARK: - Writing

    @Test(arguments: [false, true])
    func `A file is replaced as a whole, and nothing is left of a try before`(isSynced: Bool) throws {
        try Disk.create(file, Array("old".utf8))
        try Disk.create(file + ".new", Array("of a process that was killed".utf8), permissions: 0o666)
        let old = try #require(try Disk.status(file)).inode
        try Disk.replace(file, with: Array("new".utf8), isSynced: isSynced)
        #expect(try folder.text("file") == "new")
        #expect(try folder.names == ["file"])
        let status = try #require(try Disk.status(file))
        #expect(status.inode != old && status.permissions == 0o600)
    }

    @Test func `A file that cannot be replaced stays as it is, and the error names it`() throws {
        let target = folder.path + "/folder"
        try Disk.makeFolder(target + "/inner")
        let error = #expect(throws: FileError.self) { try Disk.replace(target, with: [1]) }
        #expect(error == FileError(.write, target, code: EISDIR))
        #expect(try folder.names == ["folder"], "no temporary file is left")
    }

    @Test func `What is created was not there before`() throws {
        try Disk.create(file, [1])
        #expect(throws: FileError(.write, file, code: EEXIST)) { try Disk.create(file, [2]) }
        #expect(try Disk.read(file, limit: 9) == [1])
    }

    @Test func `Bytes are appended completely, or the file is as it was`() throws {
        try Disk.create(file, Array("abc".utf8))
        let open = try OpenFile(appendingTo: file)
        try open.append(Array("def".utf8), isSynced: true)
        #expect(try folder.text("file") == "abcdef")
        try open.cut(to: 2)
        try open.append(Array("X".utf8), isSynced: false)
        #expect(try folder.text("file") == "abX")
        let full = try OpenFile(creating: folder.path + "/other")
        #expect(try full.status().size == 0)
    }

    @Test func `A file without its name is deleted`() throws {
        do {
            var unnamed = try UnnamedFile(file)
            try unnamed.append([1, 2, 3])
            #expect(unnamed.size == 3)
        }
        #expect(try folder.names == [])
    }

    @Test func `Lines are appended to a file that others cannot read`() throws {
        for line in ["one\n", "two\n"] { try Disk.append(Array(line.utf8), to: file) }
        chmod(file, 0o644)
        try Disk.append(Array("three\n".utf8), to: file)
        #expect(try folder.text("file") == "one\ntwo\nthree\n")
        #expect(try Disk.status(file)?.permissions == 0o600)
    }

    // MARK: - Folders

    @Test func `A folder is made with those above it, for its owner alone`() throws {
        let path = folder.path + "/a/b/c"
        try Disk.makeFolder(path)
        for made in [path, folder.path + "/a/b", folder.path + "/a"] {
            #expect(try Disk.status(made)?.permissions == 0o700)
        }
        chmod(path, 0o755)
        try Disk.makeFolder(path, isPrivate: false)
        #expect(try Disk.status(path)?.permissions == 0o755)
        try Disk.makeFolder(path)
        #expect(try Disk.status(path)?.permissions == 0o700)
        try Disk.create(file, [])
        #expect(throws: FileError(.write, file, code: ENOTDIR)) { try Disk.makeFolder(file) }
        #expect(throws: FileError(.write, file + "/x", code: ENOTDIR)) { try Disk.makeFolder(file + "/x") }
    }

    @Test func `A folder is copied without links and pipes, in the place of an earlier copy`() throws {
        let (source, target) = (folder.path + "/source", folder.path + "/target")
        try Disk.makeFolder(source + "/inner")
        try Disk.create(source + "/inner/file", Array("text".utf8))
        try #require(mkfifo(source + "/pipe", 0o600) == 0)
        symlink("/etc/passwd", source + "/link")
        try Disk.makeFolder(target)
        try Disk.create(target + "/old", [])
        try Disk.copyFolder(source, to: target)
        #expect(try Disk.entries(of: target).map(\.name) == ["inner"])
        #expect(try folder.text("target/inner/file") == "text")
        #expect(try folder.names == ["source", "target"])
    }

    @Test func `A folder is removed with all that it holds, and a link without what it leads to`() throws {
        try Disk.makeFolder(folder.path + "/a/b")
        try Disk.create(folder.path + "/a/b/file", [])
        try Disk.create(file, [1])
        symlink(file, folder.path + "/a/link")
        Disk.remove(folder.path + "/a")
        #expect(try folder.names == ["file"])
    }

    // MARK: - Names from outside

    @Test(arguments: [
        ("a/b.txt", "a/b.txt"), ("./a//b", "a/b"), ("a\\b", "a/b"), ("/etc/passwd", nil), ("../x", nil),
        ("a/../../x", nil), (".hidden", nil), ("a/.b", nil), ("", nil), ("__MACOSX/a", nil), ("a\0b", nil),
        (String(repeating: "x", count: 251), nil),
    ])
    func `A path from outside stays inside`(path: String, enclosed: String?) {
        #expect(OutsideName.enclosed(path) == enclosed)
    }

    @Test func `A name is cut by bytes, and no character is cut`() {
        #expect(OutsideName.cut("short", toBytes: 10) == "short")
        #expect(OutsideName.cut("ééé", toBytes: 5) == "éé")
        #expect(OutsideName.cut("a😀", toBytes: 4) == "a")
    }

    @Test func `A file is found inside a folder, and not through a link`() throws {
        try Disk.makeFolder(folder.path + "/a")
        try Disk.create(folder.path + "/a/file", [])
        symlink("a", folder.path + "/b")
        symlink("file", folder.path + "/a/link")
        #expect(try OutsideName.find("a/file", in: folder.path) == Disk.realPath(folder.path + "/a/file"))
        #expect(cause("b/file") == .link)
        #expect(cause("a/link") == .link)
        #expect(cause("../file") == .outside)
        #expect(cause("/etc/passwd") == .outside)
        #expect(cause("a") == .irregular)
        #expect(cause("a/file/x") == .system(ENOTDIR))
        #expect(cause("none") == .system(ENOENT))
    }

    private func cause(_ path: String) -> FileError.Cause? {
        #expect(throws: FileError.self) { try OutsideName.find(path, in: folder.path) }?.cause
    }

    // MARK: - Locks and errors

    @Test func `A lock is private, ends with its value, and names its holder`() throws {
        try Disk.create(file, [], permissions: 0o666)
        let lock = try OpenFile.locked(file, LockPatience(limit: .zero))
        #expect(try lock.status().permissions == 0o600)
        let error = #expect(throws: FileError.self) { _ = try OpenFile.locked(file, LockPatience(limit: .zero)) }
        #expect(error == FileError(.write, file, .held(LockHolder(process: getpid()))))
        #expect(error?.description.contains("is locked by process \(getpid())") == true)
        withExtendedLifetime(lock) {}
        _ = consume lock
        _ = try OpenFile.locked(file, LockPatience(limit: .zero))
    }

    @Test func `An error is one line: the path, the cause, a remedy`() {
        let lines = [
            (FileError(.read, "p", code: EACCES), "p: may not be read (permission denied); check its permissions"),
            (FileError(.read, "p", code: ENOENT), "p: vanished while it was read; try again"),
            (FileError(.write, "p", code: ENOENT), "p: cannot be written (No such file or directory); try again"),
            (
                FileError(.write, "p", code: ENOSPC),
                "p: no disk space (No space left on device); free some and try again"
            ),
            (FileError(.read, "p", .tooLarge(2 << 20)), "p: larger than 2 MiB; make it smaller"),
        ]
        for (error, line) in lines { #expect(error.description == line) }
    }
}
