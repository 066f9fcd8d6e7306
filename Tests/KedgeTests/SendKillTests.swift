import Foundation
import TestSupport
import Testing

private let soak = ProcessInfo.processInfo.environment["KEDGE_SOAK"].flatMap(Int.init) ?? 1

/// `kill -9` at any moment: a message is there once and whole, or not at all.
@Suite(.timeLimit(.minutes(60)))
struct SendKillTests {
    @Test func `Killed senders lose no message that was reported as sent, and leave no incomplete line`()
        throws
    {
        let seed = ProcessInfo.processInfo.environment["KEDGE_SEED"].flatMap(UInt64.init) ?? .random(in: 1...1_000_000)
        print("sending and being killed: KEDGE_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        let archive = try ScratchArchive()
        let confirmed = archive.path + "/confirmed"
        // Long texts take several pages, between which a write can end.
        let sizes = [20, 5_000, 300_000]
        for size in sizes { try archive.write("text-\(size)", String(repeating: "x", count: size)) }
        // Two at once, so that one is also hit while it waits for the other.
        let loop = "(while :; do \"$KEDGE\" send general - <\"$1\" >>\"$2\"; done) &"
        let script = "\(loop) \(loop) wait"
        // How long one send takes, in seconds.
        var pace = 0.03
        for round in 0..<20 * soak {
            let text = archive.path + "/text-\(sizes.randomElement(using: &random) ?? 20)"
            // As long as some sends take on this machine now.
            let seconds = "\(Double.random(in: 0.5...8, using: &random) * pace)"
            // The whole group of processes goes with it.
            let killed = ["timeout", "-s", "KILL", seconds, "/bin/sh", "-c", script, "sh", text, confirmed]
            _ = try archive.run("/usr/bin/env", killed)
            let start = ContinuousClock.now
            let after = try archive.kedge("send", "general", "after \(round)")
            pace = (ContinuousClock.now - start) / .seconds(1)
            #expect(after.status == 0, "seed \(seed), round \(round): \(after)")
            #expect(try archive.lastRecord()["text"] as? String == "after \(round)", "seed \(seed), round \(round)")
        }
        let records = try archive.records()
        let ids = records.compactMap { $0["id"] as? String }
        #expect(ids.count == records.count && Set(ids).count == ids.count, "seed \(seed)")
        let links = try String(contentsOfFile: confirmed, encoding: .utf8).split(separator: "\n")
        #expect(Set(links.map { String($0.dropFirst(8)) }).subtracting(ids) == [], "seed \(seed)")
        for text in records.compactMap({ $0["text"] as? String }) where text.hasPrefix("x") {
            #expect(sizes.contains(text.utf8.count), "seed \(seed)")
        }
        print("\(links.count) were confirmed, \(ids.count - 2 - 20 * soak) are there")
        #expect(!links.isEmpty)
    }
}
