import Files
import Foundation
import Testing

@testable import Helper

/// What is on the disk between a response, the journal, the logs and the token.
struct SyncStateTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "kedge-state-\(UUID().uuidString)").path

    private func inFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body()
    }

    /// The file of a journal, as a response makes it.
    private func journal(_ since: String?, _ text: String) throws -> SyncState.Journal {
        let bytes = Array(text.utf8)
        try DiskFile.replace(path + "/response", with: [bytes])
        let file = try OpenFile(reading: path + "/response")
        let body = try withExtendedLifetime(file) { try ResponseBody(file: $0.descriptor) }
        return SyncState.Journal(since: since, body: body)
    }

    private func text(_ journal: SyncState.Journal?) -> String? {
        journal?.body.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a response is in the journal until its token is there`() throws {
        try inFolder {
            try SyncState(folder: path).write(journal(nil, "first\nresponse"))
            // Each of these is another process.
            #expect(try SyncState(folder: path).token() == nil)
            #expect(try SyncState(folder: path).journal()?.since == nil)
            #expect(try text(SyncState(folder: path).journal()) == "first\nresponse")
            try SyncState(folder: path).commit("t\"1")
            #expect(try SyncState(folder: path).token() == "t\"1")
            #expect(try SyncState(folder: path).journal() == nil)
        }
    }

    @Test func `a journal that a killed process has not finished counts as none`() throws {
        try inFolder {
            try SyncState(folder: path).commit("t1")
            try Data("{\"since\":\"t1\"}\nhalf of a resp".utf8).write(to: URL(filePath: path + "/.journal.new"))
            #expect(try SyncState(folder: path).journal() == nil)
            try SyncState(folder: path).write(journal("t1", "whole"))
            #expect(try SyncState(folder: path).journal()?.since == "t1")
            #expect(try text(SyncState(folder: path).journal()) == "whole")
        }
    }
}
