import Archive
import Display
import Messages
import Mirror

extension Index {
    /// Tells of damaged files in the copy of an export.
    func checkCopy() throws {
        let path = try options.path()
        guard Export.isExport(path) else { return }
        let faults = Export.faults(ofCopyIn: try options.indexFolder())
        guard !faults.isEmpty else { return }
        try Output.print(faults.map(Output.harmless))
        throw Failure(
            .nothingFound,
            "the copy of this export is damaged; `kedge index --rebuild` makes what is damaged again from the export")
    }

    /// Compares the index with the files, and prints a line for each conversation and each difference. Tells on stderr of the
    /// lines that cannot be read.
    func runCheck(of store: any ConversationListing) throws {
        let bar = ProgressBar()
        let check = IndexCheck(archive: try options.nativeFolder(), in: try options.indexFolder())
        let verdict = try check.run { bar.show($0, of: $1) }
        bar.finish()
        switch verdict {
        case .missing(let reason): throw Failure(.nothingFound, reason)
        case .broken(let reason):
            throw Failure(.nothingFound, "the index is broken (\(reason)); `kedge index --rebuild` builds a new one")
        case .compared(let checks):
            try Output.print(checks.flatMap(Index.lines).map(Output.harmless))
            if checks.contains(where: { !$0.faults.lines.isEmpty }) {
                throw Failure(
                    .nothingFound,
                    "the index differs from the files; `kedge index` updates it, "
                        + "`kedge index --rebuild` builds a new one")
            }
            if checks.contains(where: { $0.obstacle != nil }) {
                throw Failure(
                    .nothingFound, "not every conversation could be checked; make its files readable, then check again")
            }
            let ids = try conversations(of: store)
            let problems = try waiting { () async throws(StoreError) in await store.problems(in: ids) }
            for problem in problems { Output.complain(problem) }
            if !problems.isEmpty {
                throw Failure(
                    .nothingFound,
                    "the index is correct, but the archive has faults; correct its files, or do without these lines")
            }
        }
    }

    private static func lines(of check: ConversationCheck) -> [String] {
        var lines = check.faults.lines
        if check.faults.more > 0 { lines.append("\(check.id): \(check.faults.more.grouped) more differences") }
        if let obstacle = check.obstacle {
            lines.append("\(check.id): cannot be checked: \(obstacle)")
            return lines
        }
        if check.isRight, !check.isUnknown {
            let counts = "\(check.records.grouped) records, \(check.messages.grouped) messages"
            lines.append("\(check.id): \(counts): the index is correct")
        }
        if check.missingBytes > 0 || check.isUnknown {
            lines.append("\(check.id): \(Int(check.missingBytes).grouped) bytes of the files are not in the index yet")
        }
        if check.missingWords > 0 {
            let messages = check.missingWords == 1 ? "1 message" : "\(check.missingWords.grouped) messages"
            lines.append("\(check.id): the words of \(messages) are not in the index yet")
        }
        return lines
    }
}
