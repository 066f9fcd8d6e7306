import Messages
import Testing

@testable import Archive

/// With `keepsIndex`, the index is built after the first page is shown.
struct HeldIndexTests {
    @Test func `Reading a page starts no index before the progress is watched`() async throws {
        let archive = try TemporaryArchive(message("m1"), message("m2"))
        let store = try archive.open(index: archive.index, keepsIndex: true)
        #expect(try await store.ids() == ["m1", "m2"])
        let service = try #require(store.service)
        #expect(!service.isAtWork)
        var shares: [Double] = []
        for await progress in store.preparation() {
            shares.append(progress.share)
            if progress.share == 1 { break }
        }
        #expect(shares.last == 1)
        #expect(try await store.page(.latest).place != nil)
    }

    @Test func `Waiting for the records starts an index that had to wait`() async throws {
        let archive = try TemporaryArchive(message("m1"), message("m2"))
        let store = try archive.open(index: archive.index, keepsIndex: true)
        await store.indexRecords(first: general)
        #expect(try await store.page(.latest).place != nil)
    }
}
