/// The parts of Kedge that read foreign input. A fuzzer gives them bytes, and so do the tests: those that a fuzzer
/// found worth keeping.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The bytes are a config.toml.
    case config
    /// The bytes are a segment of a conversation.
    case log
    /// The bytes are the files of an export of another program (see `ExportTarget`).
    case export
    /// The bytes are input from a terminal, and events of a store meanwhile (see `KeyScript`).
    case keys

    /// - Throws: the mistake that Kedge made. It crashes when Kedge crashes.
    package func run(_ bytes: [UInt8]) async throws(FuzzFinding) {
        switch self {
        case .config: try ConfigTarget.run(bytes)
        case .export: try ExportTarget.run(bytes)
        case .log: try await LogTarget.run(bytes)
        case .keys: try KeysTarget.run(bytes)
        }
    }
}
