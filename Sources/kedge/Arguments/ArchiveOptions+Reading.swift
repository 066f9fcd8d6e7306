import Messages
import Settings

extension ArchiveOptions {
    /// How far a person has read in the archive. Tells on stderr of what cannot be read.
    func readStates(of reader: PersonID?) throws -> ReadStates {
        var (file, baseline) = try readFiles(of: reader)
        let (positions, problem) = file.load()
        let (last, other) = baseline.load()
        for line in [problem, other].compactMap(\.self) { Output.complain(line) }
        return ReadStates(positions: positions, baseline: last)
    }

    /// Keeps that a person has read so far. Tells on stderr of a failure.
    func keep(_ positions: [ConversationID: ReadPosition], of reader: PersonID?) throws {
        if positions.isEmpty { return }
        var file = try readFiles(of: reader).positions
        _ = file.load()
        if let problem = file.advance(positions) { Output.complain(problem) }
    }

    /// Keeps that everything counts as read that was there at a moment: the first contact with an archive. What comes later
    /// is new. Tells on stderr of a failure.
    func keepBaseline(of store: any ConversationListing & UnreadCounting, at moment: Timestamp) throws {
        let last = try waiting { () async throws(StoreError) in
            await store.lastMessages(before: try await store.ends(at: moment))
        }
        if let problem = try readFiles(of: store.me).baseline.keep(last).problem { Output.complain(problem) }
    }

    private func readFiles(of reader: PersonID?) throws -> (positions: ReadPositions, baseline: Baseline) {
        let folders = Folders(environment: Environment.variables)
        let archive = ArchiveLocation.realPath(try path())
        return (
            ReadPositions(folder: folders.state, archive: archive, reader: reader),
            Baseline(folder: folders.state, archive: archive, reader: reader)
        )
    }
}
