import Files
import Foundation
import Glibc
import Synchronization
import Testing
import Threads

@testable import Archive

struct WatchWithoutInotifyTests {
    private final class Reports: Sendable { let all = Monitor<[Set<CInt>]>([]) }

    @Test
    func `Without inotify each added folder is reported again and again, until the watch is stopped`() throws {
        let archive = try TemporaryArchive(message("m1"))
        let reports = Reports()
        let watch = try FolderWatch(hasInotify: false, pause: 1) { numbers in reports.all.change { $0.append(numbers) }
        }
        defer { watch.stop() }
        let numbers = try [archive.path, archive.path + "/conversations", archive.path].map { try watch.add($0) }
        #expect(numbers[0] == numbers[2] && numbers[0] != numbers[1])
        _ = reports.all.wait { all in
            all.count { $0.isSuperset(of: numbers) && $0.contains(FolderWatch.lost) } >= 3 ? true : nil
        }
        #expect(throws: FileError.self) { try watch.add(archive.path + "/missing") }
    }
}
