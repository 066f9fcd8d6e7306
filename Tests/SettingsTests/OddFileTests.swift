import Foundation
import Messages
import Testing

@testable import Settings

/// Entries in the place of a settings or state file that are not such a file.
final class OddFileTests {
    enum Kind: CaseIterable {
        case pipe, endpoint, device, folder, large

        func make(at path: String) throws {
            switch self {
            case .pipe: try #require(mkfifo(path, 0o600) == 0)
            case .endpoint: try makeSocket(at: path)
            case .device: try #require(symlink("/dev/zero", path) == 0)
            case .folder: try #require(mkdir(path, 0o700) == 0)
            case .large:
                // A sparse file, because nothing reads it.
                try #require(FileManager.default.createFile(atPath: path, contents: nil))
                try #require(truncate(path, 3 << 30) == 0)
            }
        }

        private func makeSocket(at path: String) throws {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isBound = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
            }
            #expect(isBound)
        }

        /// The reason that is reported.
        func reason(_ limit: String) -> String {
            self == .large ? "is larger than \(limit) (make it smaller)" : "is not a regular file (move it away)"
        }
    }

    private let folder = NSTemporaryDirectory() + "kedge-odd-\(UUID().uuidString.prefix(8))"

    init() throws { try #require(mkdir(folder, 0o700) == 0) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test(arguments: Kind.allCases)
    func `A config that is not a file of a sensible size is reported and ignored`(kind: Kind) throws {
        let path = folder + "/config.toml"
        try kind.make(at: path)
        let (config, problems) = Config.load(folder: folder, home: "/home/ana")
        #expect(config == Config())
        #expect(problems == ["\(path): \(kind.reason("1 MiB")); ignored"])
    }

    @Test(arguments: Kind.allCases)
    func `Drafts and positions that are not files of a sensible size are reported and left as they are`(kind: Kind)
        throws
    {
        for name in ["drafts.json", "read.json"] { try kind.make(at: folder + "/" + name) }
        var status = stat()
        let mode = { (path: String) in stat(path, &status) == 0 ? status.st_mode : 0 }
        let device = mode("/dev/zero")
        let reason = kind.reason("256 MiB")
        var drafts = Drafts(folder: folder, archive: "/a", writer: nil)
        let unknown = "\(folder)/drafts.json \(reason): your drafts could not be read"
        #expect(drafts.load().problem == unknown)
        #expect(drafts.keep([ConversationID("general"): Draft(text: "hello")]) == unknown)
        #expect(!drafts.isKept)
        var positions = ReadPositions(folder: folder, archive: "/a", reader: nil)
        #expect(positions.load().problem == "\(folder)/read.json \(reason): your read positions could not be read")
        #expect(mode("/dev/zero") == device)
    }
}
