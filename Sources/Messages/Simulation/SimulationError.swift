/// A part of KEDGE_SIMULATE that cannot be read.
package struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    let part: String

    package var description: String {
        "KEDGE_SIMULATE does not know \"\(part)\"; it takes latency:250ms,failures:0.2,after:1,seed:7"
    }
}
