import Foundation

/// The messages for all programs: an archive, and the same messages as files for the other programs.
struct Corpus {
    /// A message that can be found by its link and by a word that no other message has.
    struct Landmark {
        let id: String
        let word: String
    }

    let size: Int
    let archive: String
    /// The log of `general`, as one file.
    let log: String
    /// A message a line: `2025-03-01 09:12:33 nick: text`.
    let text: String
    /// A message a line, with tabs: time, nick, text, as WeeChat logs.
    let chat: String
    let middle: Landmark
    let last: Landmark
    let rare: Landmark
    let medium: String
    let common: String

    /// The number of messages in `general`.
    let count: Int

    init(size: Int, folder: String) throws {
        let home = "\(folder)/\(size)"
        self.size = size
        (archive, log, text, chat) =
            ("\(home)/archive", "\(home)/general.jsonl", "\(home)/general.txt", "\(home)/general.weechatlog")
        if !FileManager.default.fileExists(atPath: home) { try Corpus.make(size, home) }
        var landmarks: [String: Landmark] = [:]
        let list = try String(contentsOfFile: home + "/landmarks", encoding: .utf8)
        for line in list.split(separator: "\n") {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 3 else { throw Failure("\(home)/landmarks is not what was expected: remove \(home)") }
            landmarks[fields[0]] = Landmark(id: String(fields[1].split(separator: "/").last ?? ""), word: fields[2])
        }
        guard let middle = landmarks["middle"], let last = landmarks["last"], let rare = landmarks["rare"],
            let medium = landmarks["medium"], let common = landmarks["common"],
            let count = Int(last.id.drop { !$0.isNumber })
        else { throw Failure("\(home)/landmarks lacks something: remove \(home)") }
        (self.middle, self.last, self.rare, self.medium, self.common) = (middle, last, rare, medium.word, common.word)
        self.count = count
    }

    /// The files of `general`.
    func segments() throws -> [String] { try Corpus.segments(of: archive) }

    /// Reads all files once, so that every program finds them in memory.
    func warm() throws {
        for path in try segments() + [log, text, chat] {
            guard let file = FileHandle(forReadingAtPath: path) else { throw Failure("\(path) is gone") }
            while let data = try file.read(upToCount: 8 << 20), !data.isEmpty {}
            try file.close()
        }
    }
}

// MARK: - Making it

extension Corpus {
    private static func make(_ size: Int, _ home: String) throws {
        show("making an archive of \(size) messages in \(home)")
        // An unfinished archive is made again.
        let part = home + ".part"
        try? FileManager.default.removeItem(atPath: part)
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
        // Without the variables of the make that started this program.
        let environment = ProcessInfo.processInfo.environment.filter { $0.key != "MAKEFLAGS" && $0.key != "MFLAGS" }
        let command = Command(["make", "--silent", "archive", "N=\(size)", "DIR=\(part)/archive"], environment)
        let run = try Run(command, within: 600)
        guard run.status == 0 else { throw Failure("`make archive N=\(size)` has failed: try it by hand") }
        try Data(run.output).write(to: URL(fileURLWithPath: part + "/landmarks"))
        try render(part)
        try FileManager.default.moveItem(atPath: part, toPath: home)
    }

    private static func segments(of archive: String) throws -> [String] {
        let folder = archive + "/conversations/general"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".jsonl") }.map { folder + "/" + $0 }
    }

    private static func render(_ home: String) throws {
        let names = ["general.jsonl", "general.txt", "general.weechatlog"]
        let files = try names.map { name in
            let path = home + "/" + name
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let file = FileHandle(forWritingAtPath: path)
            else { throw Failure("\(path) cannot be written") }
            return file
        }
        for path in try segments(of: home + "/archive") {
            let log = try Data(contentsOf: URL(fileURLWithPath: path))
            let rendering = Rendering([UInt8](log))
            try files[0].write(contentsOf: log)
            try files[1].write(contentsOf: Data(rendering.text))
            try files[2].write(contentsOf: Data(rendering.chat))
        }
        for file in files { try file.close() }
    }
}
