import Foundation
import TestSupport
import Testing

@testable import Timeline

/// The factor by which there are more walks than usual.
private let soak = ProcessInfo.processInfo.environment["KEDGE_SOAK"].flatMap(Int.init) ?? 1

/// Random interleavings of everything that can happen to a timeline. `make soak` runs many more of them.
struct RandomPropertyTests {
    /// The first seed: `KEDGE_SEED`, else the same one for every test run, and another one for every soak.
    static let firstSeed: UInt64 =
        ProcessInfo.processInfo.environment["KEDGE_SEED"].flatMap(UInt64.init)
        ?? (soak > 1 ? UInt64(Date().timeIntervalSince1970) : 1)

    @Test(arguments: 0..<8)
    func `No interleaving of events breaks a property`(part: Int) {
        let steps = 250
        let walks = 30 * soak
        print("seeds \(Self.firstSeed) + \(part) * 1000000 ..., \(walks) walks of \(steps) steps")
        // A walk without these events proves nothing about them.
        let wanted = [
            "whole lists", "lists filled", "exact jumps back", "sizes come back to", "both orders", "late answers",
            "failures", "evictions",
        ]
        var tally: [String: Int] = [:]
        for number in 0..<3 * walks {
            // The rare ones may need more walks.
            if number >= walks, wanted.allSatisfy({ tally[$0, default: 0] > 0 }) { break }
            let seed = Self.firstSeed &+ UInt64(part) * 1_000_000 &+ UInt64(number)
            var random = SeededGenerator(seed: seed)
            let setup = Self.setup(seed, using: &random)
            let script = (0..<steps).map { _ in Action.random(using: &random) }
            guard let violation = Walk.run(script, setup, &tally) else { continue }
            let (short, found) = shrink(script, violation) { Walk.run($0, setup) }
            Issue.record("\(found)\nseed \(seed), \(setup)\n\(short.map { "\($0)" }.joined(separator: "\n"))")
            return
        }
        for what in wanted { #expect(tally[what, default: 0] > 0, "no \(what)") }
        print(
            "part \(part): " + tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    }

    static func setup(_ seed: UInt64, using random: inout SeededGenerator) -> Walk.Setup {
        var setup = Walk.Setup()
        setup.seed = seed
        setup.lines = Int.random(in: 1...(Bool.random(using: &random) ? 60 : 400), using: &random)
        setup.hidden = [0, 0.15, 0.9].randomElement(using: &random) ?? 0
        setup.width = Int.random(in: 1...12, using: &random)
        setup.height = Int.random(in: 1...(Bool.random(using: &random) ? 3 : 10), using: &random)
        setup.capacity = Int.random(in: 4...60, using: &random)
        setup.prefetch = Prefetch(
            pageSize: Int.random(in: 1...12, using: &random), rows: Int.random(in: 1...4, using: &random),
            screens: Int.random(in: 1...3, using: &random))
        setup.counts = Bool.random(using: &random)
        setup.leads = Bool.random(using: &random)
        return setup
    }
}
