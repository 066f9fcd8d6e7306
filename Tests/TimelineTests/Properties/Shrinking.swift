/// The property that a script breaks.
struct Violation: Error, Hashable, CustomStringConvertible {
    let property: Property
    let text: String

    var description: String { "\(property): \(text)" }
}

/// Makes a failing script short: leaves out runs of steps, then makes numbers smaller, as long as the same property is
/// broken (delta debugging: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input").
func shrink(_ script: [Action], _ violation: Violation, run: ([Action]) -> Violation?) -> ([Action], Violation) {
    var best = (script, violation)
    func accept(_ candidate: [Action]) -> Bool {
        guard let found = run(candidate), found.property == violation.property else { return false }
        best = (candidate, found)
        return true
    }
    var size = max(1, script.count / 2)
    while size > 0 {
        var start = 0
        while start < best.0.count {
            var candidate = best.0
            candidate.removeSubrange(start..<min(start + size, candidate.count))
            if !accept(candidate) { start += size }
        }
        size = size == 1 ? 0 : size / 2
    }
    var isSimpler = true
    while isSimpler {
        isSimpler = false
        for index in best.0.indices {
            for step in best.0[index].simpler {
                var candidate = best.0
                candidate[index] = step
                if accept(candidate) {
                    isSimpler = true
                    break
                }
            }
        }
    }
    return best
}
