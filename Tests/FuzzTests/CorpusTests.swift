import Foundation
import FuzzTargets
import Testing

/// Runs the inputs that fuzzers found worth keeping through the same functions; `make fuzz` starts with them.
struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fuzz/corpus")

    private static func files(of target: FuzzTarget) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil
        )
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `Every file of the corpus gives a correct result`(target: FuzzTarget) async throws {
        let files = try Self.files(of: target)
        #expect(!files.isEmpty)
        for file in files {
            do throws(FuzzFinding) {
                try await target.run(Array((try? Data(contentsOf: file)) ?? Data()))
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
    }

    @Test func `The corpus has an export of each format`() throws {
        let inputs = try Self.files(of: .export).map { ExportTarget.formats(of: Array(try Data(contentsOf: $0))) }
        let recognised = inputs.reduce(into: Set()) { $0.formUnion($1.recognised) }
        #expect(recognised == inputs.first?.all)
    }

    @Test func `The corpus stays small`() throws {
        for target in FuzzTarget.allCases {
            let sizes = try Self.files(of: target).map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
            #expect(sizes.count <= 60, "\(target)")
            #expect(sizes.allSatisfy { $0 <= 4_096 }, "\(target)")
        }
    }
}
