/// How a simulated store misbehaves: `latency:250ms,failures:0.2,after:1,seed:7`, in any order; each part may be left
/// out. The latency is in milliseconds (`250ms`) or seconds (`2s`).
package struct Simulation: Hashable, Sendable {
    /// The duration of every request.
    package var latency: Duration = .zero
    /// The share of requests that fail, 0 to 1.
    package var failures = 0.0
    /// Requests that succeed before failures begin.
    package var after = 0
    /// Chooses the requests that fail: the same seed chooses the same ones.
    package var seed: UInt64 = 0

    package init() {}

    /// - Throws: what is wrong with the text, in one line.
    package init(parsing text: String) throws(SimulationError) {
        for part in text.split(separator: ",") {
            let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard pair.count == 2, try set(pair[0], pair[1]) else { throw SimulationError(part: String(part)) }
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(SimulationError) -> Bool {
        switch name {
        case "latency":
            let (unit, digits) = value.hasSuffix("ms") ? (1, value.dropLast(2)) : (1_000, value.dropLast(1))
            guard value.hasSuffix("s"), let number = Int(digits), (0...3_600_000).contains(number) else { return false }
            latency = .milliseconds(number * unit)
        case "failures":
            guard let number = Double(value), (0...1).contains(number) else { return false }
            failures = number
        case "after":
            guard let number = Int(value), number >= 0 else { return false }
            after = number
        case "seed":
            guard let number = UInt64(value) else { return false }
            seed = number
        default: return false
        }
        return true
    }

    /// Whether a request fails: a hash of its number, so that it does not depend on what ran before.
    func fails(request number: Int) -> Bool {
        guard number >= after, failures > 0 else { return false }
        // SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
        var mixed = seed &+ (UInt64(truncatingIfNeeded: number) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / Double(1 << 53) < failures
    }
}
