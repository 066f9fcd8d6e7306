/// The parts of Kedge that take in what they did not write. A fuzzer gives them bytes, and so do the tests: those that it
/// found worth keeping.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The bytes are a config.toml.
    case config
    /// The bytes are a segment of a conversation.
    case log
    /// The bytes are what a terminal sends, and what a store does meanwhile (see `KeyScript`).
    case keys

    /// - Throws: what is wrong with what Kedge did. It crashes where Kedge does.
    package func run(_ bytes: [UInt8]) async throws(FuzzFinding) {
        switch self {
        case .config: try ConfigTarget.run(bytes)
        case .log: try await LogTarget.run(bytes)
        case .keys: try KeysTarget.run(bytes)
        }
    }
}
