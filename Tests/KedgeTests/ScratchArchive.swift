import Foundation
import Messages
import Settings
import Testing

/// An archive to write into, in a folder that goes with it, and with all whose path begins as the archive's does: one
/// conversation "general", in which m-2 is a reply in the thread of m-1.
final class ScratchArchive: Sendable {
    static let segment = "conversations/general/messages-000001.jsonl"

    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-scratch-\(UUID().uuidString)")
    var path: String { folder.appending(path: folder.lastPathComponent).path }

    init() throws {
        try write("archive.json", #"{"format":"kedge","version":1,"name":"Scratch","me":"ana"}"#)
        let lines = [
            ScratchArchive.message("m-1", "hello"), ScratchArchive.message("m-2", "in it", more: #","thread":"m-1""#),
        ]
        try write(ScratchArchive.segment, lines.map { $0 + "\n" }.joined())
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
        Program.forget(archive: path)
    }

    /// Notes that ana has opened the archive: what is in it now is read.
    func openOnce() throws {
        let folders = Folders(environment: Program.environment)
        let baseline = Baseline(
            folder: folders.state, archive: ArchiveLocation.realPath(path), reader: PersonID("ana"))
        #expect(baseline.keep([ConversationID("general"): MessageID("m-2")]).problem == nil)
    }

    static func message(_ id: String, _ text: String, more: String = "") -> String {
        #"{"type":"message","id":"\#(id)","at":"2025-03-01T09:12:33Z","from":"ben","text":"\#(text)"\#(more)}"#
    }

    func write(_ file: String, _ text: String) throws {
        let url = URL(fileURLWithPath: path + "/" + file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func log() throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + ScratchArchive.segment)), as: UTF8.self)
    }

    func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    /// The lines of all segments of "general", each of which must be a record.
    func records() throws -> [[String: Any]] {
        var records: [[String: Any]] = []
        for name in try names("conversations/general") {
            let data = try Data(contentsOf: URL(fileURLWithPath: path + "/conversations/general/" + name))
            for line in data.split(separator: 0x0A) {
                let record = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
                records.append(record ?? [:])
            }
        }
        return records
    }

    func lastRecord() throws -> [String: Any] { try records().last ?? [:] }

    func kedge(_ arguments: String...) throws -> Program.Result { try kedge(arguments) }

    func kedge(_ arguments: [String], environment extra: [String: String] = [:]) throws -> Program.Result {
        try run(Program.path, arguments, environment: extra)
    }

    /// Lets a shell run a script in which "$KEDGE" is the program.
    @discardableResult
    func shell(_ script: String, by shell: String = "/bin/sh") throws -> Program.Result {
        try run(shell, ["-c", script])
    }

    func run(_ program: String, _ arguments: [String], environment extra: [String: String] = [:]) throws
        -> Program.Result
    {
        let own = Program.environment.merging(["KEDGE_ARCHIVE": path]) { $1 }
        return try Program.run(program, arguments, environment: own.merging(extra) { $1 })
    }
}
