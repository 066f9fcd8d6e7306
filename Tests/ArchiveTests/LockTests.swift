import Files
import Foundation
import Glibc
import Index
import Messages
import Testing

@testable import Archive

/// A process that holds a lock blocks others only for a limited time, and the error names it.
struct LockTests {
    /// A process that holds the lock of a file until this object is released.
    private final class Holder {
        let process = Process()
        private let input = Pipe()

        init(_ path: String) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
            // Without a fork, the process that takes the lock is the one that keeps it.
            process.arguments = ["--no-fork", path, "cat"]
            process.standardInput = input
            process.standardOutput = Pipe()
            try process.run()
            let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
            defer { close(descriptor) }
            while flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                flock(descriptor, LOCK_UN)
                sched_yield()
            }
            // The process is named `flock` until it executes `cat`.
            while try #require(LockHolder(process: process.processIdentifier)).description.contains("flock") {
                sched_yield()
            }
        }

        func stop() throws {
            kill(process.processIdentifier, SIGSTOP)
            while try #require(LockHolder(process: process.processIdentifier)).isStopped == false { sched_yield() }
        }

        deinit {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    @Test func `The holder of a lock is known, and whether it is stopped`() throws {
        let archive = try TemporaryArchive()
        let path = archive.path + "/lock"
        let holder = try Holder(path)
        let number = holder.process.processIdentifier
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        let running = try #require(LockHolder.of(descriptor))
        #expect(running.description == "process \(number) (cat)")
        try holder.stop()
        #expect(
            LockHolder.of(descriptor)?.description
                == "process \(number) (cat), which is stopped: continue it with `kill -CONT \(number)`, or end it")
    }

    @Test func `The holder of a lock is found whatever device number the system lists`() {
        var status = stat()
        (status.st_dev, status.st_ino) = (8 << 8 | 1, 77)
        let list = """
            1: POSIX  ADVISORY  WRITE 10 08:01:77 0 EOF
            2: FLOCK  ADVISORY  WRITE 11 08:02:77 0 EOF
            3: FLOCK  ADVISORY  WRITE 12 08:01:77 0 EOF
            3: -> FLOCK  ADVISORY  WRITE 13 08:01:77 0 EOF
            """
        #expect(LockHolder.process(holding: status, in: list) == 12)
        status.st_dev = 40
        #expect(LockHolder.process(holding: status, in: list) == nil, "two may be meant")
        status.st_ino = 78
        #expect(LockHolder.process(holding: status, in: list) == nil)
    }

    @Test(arguments: [false, true])
    func `A caller that needs the index gives up after a while and names the holder of the lock`(isStopped: Bool) throws
    {
        let archive = try TemporaryArchive(message("m1"))
        try archive.index.make()
        let holder = try Holder(archive.index.path + "/lock")
        if isStopped { try holder.stop() }
        let name = try #require(LockHolder(process: holder.process.processIdentifier)).description
        // A stopped holder is not waited for as long as a running one.
        let patience = LockPatience(
            limit: isStopped ? .seconds(1_000) : .milliseconds(20), stopped: .milliseconds(20))
        let error = #expect(throws: IndexFault.self) { try archive.index.withLock(patience) {} }
        #expect(error?.description == "\(archive.index.path): the index is locked by \(name)")
        kill(holder.process.processIdentifier, SIGKILL)
        holder.process.waitUntilExit()
        #expect(try archive.index.withLock(patience) { 7 } == 7)
    }

    @Test func `A caller that can do without the index waits for its lock only once and reads the files`() async throws
    {
        let archive = try TemporaryArchive(message("m1"), message("m2", more: #","thread":"m1""#))
        try archive.write("conversations/other/messages-000001.jsonl", message("x") + "\n")
        try archive.index.make()
        let holder = try Holder(archive.index.path + "/lock")
        let store = try archive.open(index: archive.index)
        #expect(try await store.summary(of: general).count == 2)
        let name = try #require(LockHolder(process: holder.process.processIdentifier)).description
        let reason = "\(archive.index.path): the index is locked by \(name)"
        #expect(await store.problems() == ["\(reason); the rest is read from the files"])
        #expect(store.service?.waits == 1)
        #expect(try await store.summary(of: "other").count == 1)
        #expect(store.service?.waits == 1)
    }
}
