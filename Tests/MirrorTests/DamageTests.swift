import Files
import Foundation
import Messages
import TestSupport
import Testing

@testable import Mirror

/// What a cleaner of caches, a full disk, or another program does to the copy of an export.
struct DamageTests {
    private struct Answer: Equatable {
        var conversations: [String] = []
        var messages: [String: [String]] = [:]

        func difference(from right: Answer) -> String {
            let lists = conversations.difference(from: right.conversations).map { "\($0)" }
            return
                (lists
                + right.messages.keys.sorted().flatMap { id in
                    (messages[id] ?? []).difference(from: right.messages[id] ?? []).prefix(3).map { "\(id) \($0)" }
                }).joined(separator: "; ")
        }
    }

    private static func lines(_ name: String, _ count: Int) -> String {
        (0..<count).map { "\(name)\($0) words of message \($0)\n" }.joined()
    }

    private static func export() throws -> TestExport {
        try TestExport([
            "one.lines": lines("a", 90), "two.lines": lines("b", 40), "two.1.lines": lines("c", 40),
            "three.keyed": lines("d", 60),
        ])
    }

    private static func answer(of store: MirroredStore) async throws -> Answer {
        var answer = Answer()
        for conversation in try await store.conversations() {
            answer.conversations.append("\(conversation.id) \(conversation.title)")
            let page = try await store.page(
                PageRequest(conversation: conversation.id, position: .earliest, limit: 500))
            answer.messages[conversation.id.rawValue] = page.messages.map { "\($0.id) \($0.text) \($0.at)" }
        }
        return answer
    }

    /// Changes, cuts, deletes or swaps files somewhere in a folder.
    private static func damage(_ folder: String, _ random: inout SeededGenerator) throws -> String {
        let manager = FileManager.default
        let all = (manager.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted().map { folder + "/" + $0 }
        let files = all.filter { MirrorFiles.size($0) ?? 0 > 0 }
        guard let file = files.randomElement(using: &random) else { return "nothing" }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let kind = Int.random(in: 0..<8, using: &random)
        switch kind {
        case 0, 1:
            let times = try manager.attributesOfItem(atPath: file)
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: [bytes[place] ^ 1])
            try handle.close()
            // As by a disk: nothing but the byte tells.
            if kind == 1, let time = times[.modificationDate] {
                try manager.setAttributes([.modificationDate: time], ofItemAtPath: file)
            }
        case 2: truncate(file, off_t(place))
        case 3: truncate(file, 0)
        case 4: unlink(file)
        case 5:
            bytes.append(bytes.suffix(50))
            try bytes.write(to: URL(fileURLWithPath: file))
        case 6:
            guard let other = files.randomElement(using: &random), other != file else { return "nothing" }
            try manager.moveItem(atPath: file, toPath: file + "~")
            try manager.moveItem(atPath: other, toPath: file)
            try manager.moveItem(atPath: file + "~", toPath: other)
        default:
            guard let gone = all.filter({ MirrorFiles.size($0) == nil }).randomElement(using: &random) else { break }
            Disk.remove(gone)
            return "without \(gone)"
        }
        return "\(kind) at \(place) of \(file)"
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `a damaged mirror gives no wrong answer to a new process`(
        seed: UInt64
    ) async throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let export = try DamageTests.export()
        let right = try await DamageTests.answer(of: export.open())
        #expect(right.conversations.count == 3 && right.messages["two"]?.count == 80)
        for _ in 0..<60 {
            let damage = try DamageTests.damage(export.files.root, &random)
            #expect(try await DamageTests.answer(of: export.open()) == right, "\(damage)")
        }
    }

    @Test(arguments: [UInt64(4), 5, 6]) func `a mirror that is damaged under a screen gives no wrong answer`(
        seed: UInt64
    ) async throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let export = try DamageTests.export()
        let right = try await DamageTests.answer(of: export.open())
        let store = try export.open(keepsIndex: true)
        #expect(try await DamageTests.answer(of: store) == right)
        for _ in 0..<60 {
            let damage = try DamageTests.damage(export.files.root, &random)
            let found = try await DamageTests.answer(of: store)
            #expect(found == right, "\(damage): \(found.difference(from: right))")
        }
    }

    @Test func `a list that is damaged while the mirror is made is right`() async throws {
        var contents: [String: String] = [:]
        for number in 0..<60 { contents["t\(number).lines"] = DamageTests.lines("a", 300) }
        let export = try TestExport(contents)
        let list = { (store: MirroredStore) in try await store.conversations().map { "\($0.id) \($0.title)" } }
        let right = try await list(export.open())
        #expect(right.count == 60)
        for round in 0..<8 {
            Disk.remove(export.files.root)
            let store = try export.open(keepsIndex: true)
            for number in 0..<6 {
                let description = export.files.description(of: "t\(number * 10)")
                try Data(#"{"id":"x","title":"wrong"}"#.utf8).write(to: URL(fileURLWithPath: description))
                #expect(try await list(store) == right, "round \(round), \(description)")
                Disk.remove(export.files.folder(of: "t\(number * 10 + 1)"))
                let found = try await list(store)
                #expect(found == right, "round \(round), without t\(number * 10 + 1): \(found.difference(from: right))")
                truncate(export.files.label, 3)
                #expect(try await list(store) == right, "round \(round), without a label")
            }
            try await store.settle()
            #expect(Export.faults(ofCopyIn: export.index).isEmpty, "round \(round)")
        }
    }

    @Test(arguments: ["folder", "file", "link", "pipe"])
    func `anything else in the place of a file or folder of the mirror is replaced`(kind: String) async throws {
        let export = try DamageTests.export()
        let files = export.files
        let first = try export.open()
        try await first.settle()
        let right = try await DamageTests.answer(of: first)
        for path in [
            files.label, files.people, files.peopleSum, files.source, files.lock, files.state(of: "one"),
            files.description(of: "one"), files.segment(1, of: "one"), files.folder(of: "one"), files.conversations,
            files.root + "/state", files.root,
        ] {
            let isFolder = try Disk.existing(path).isFolder
            // Without its header, the mirror is prepared again.
            for damaged in [files.source, path] { Disk.remove(damaged) }
            switch kind {
            case "folder": try Disk.createFolder(path, permissions: 0o700)
            case "file": try Disk.create(path, Array("x".utf8))
            case "link": #expect(symlink("/dev/null", path) == 0)
            default: #expect(mkfifo(path, 0o600) == 0)
            }
            let store = try export.open()
            #expect(try await DamageTests.answer(of: store) == right, "\(path)")
            try await store.settle()
            let status = try Disk.existing(path, follows: false)
            #expect(status.isFolder == isFolder && status.isFile == !isFolder, "\(path)")
            #expect(Export.faults(ofCopyIn: export.index).isEmpty, "\(path)")
        }
    }

    @Test func `an intact mirror is not made again, and a touched one neither`() async throws {
        let export = try DamageTests.export()
        let right = try await DamageTests.answer(of: export.open())
        let segment = export.files.segment(1, of: "one")
        let inode = try FileManager.default.attributesOfItem(atPath: segment)[.systemFileNumber] as? Int
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 7)], ofItemAtPath: segment)
        #expect(Export.faults(ofCopyIn: export.index).isEmpty)
        let store = try export.open()
        try await store.settle()
        #expect(try await DamageTests.answer(of: store) == right)
        #expect(try FileManager.default.attributesOfItem(atPath: segment)[.systemFileNumber] as? Int == inode)
    }

    @Test func `the check of the copy names what differs, and changes nothing`() async throws {
        let export = try DamageTests.export()
        try await export.open().settle()
        #expect(Export.faults(ofCopyIn: export.index).isEmpty)
        let segment = export.files.segment(1, of: "one")
        truncate(segment, 100)
        truncate(export.files.people, 0)
        #expect(
            Export.faults(ofCopyIn: export.index)
                == [export.files.people, segment].map {
                    "\($0): changed since Kedge wrote it"
                })
        #expect(MirrorFiles.size(segment) == 100)
    }
}
