extension Race {
    /// PgUp and PgDn in the middle, one at a time.
    static func turnPages(_ bench: Bench) throws {
        var table = Table(
            "h. A screen up or down in the middle, from the key to the last byte",
            columns: ["p50", "p99", "max", "keys"])
        do {
            let session = try bench.openInMiddle()
            for (name, key) in [("kedge, 300 PgUp", Key.pageUp), ("kedge, 300 PgDn", Key.pageDown)] {
                let times = try press(key, 300, in: session)
                table.add(name, [times.percentile(50), times.percentile(99), times.most], count: times.count)
            }
        } catch {
            table.skip("kedge", "\(error)")
        }
        do {
            let session = try bench.start("less", "-p", bench.corpus.middle.word, bench.corpus.text)
            _ = try seen(bench.corpus.middle.word, by: session)
            try session.settle()
            for (name, key) in [("less, 300 b", "b"), ("less, 300 f", "f")] {
                let times = try press(key, 300, in: session)
                table.add(name, [times.percentile(50), times.percentile(99), times.most], count: times.count)
            }
        } catch {
            table.skip("less", "\(error)")
        }
        table.note(
            "The last byte is the one that nothing follows within 3 ms, which do not count. The next key comes then.")
    }

    /// Presses a key a number of times.
    /// - Returns: the seconds of each press, up to the end of the conversation, where no further rows come.
    static func press(_ key: String, _ count: Int, in session: Session) throws -> Samples {
        var times: [Double] = []
        for _ in 0..<count {
            let start = Stopwatch.now
            try session.type(key)
            guard let burst = try session.burst() else { break }
            times.append(burst.end - start)
        }
        guard !times.isEmpty else { throw Failure("no key is answered\n\(session.screen.dump)") }
        return Samples(times)
    }

    /// The number of bytes for a row.
    static func countBytes(_ bench: Bench) throws {
        var table = Table(
            "j. Bytes to the terminal for a row, 50 keys in the middle", unit: .bytes,
            columns: ["all", "rows", "around", "cursor"])
        do {
            let session = try bench.start("less", "-p", bench.corpus.middle.word, bench.corpus.text)
            _ = try seen(bench.corpus.middle.word, by: session)
            session.removeFrame()
            try session.settle()
            table.add("less, j", try tallies("j", session))
        } catch {
            table.skip("less, j", "\(error)")
        }
        do {
            let session = try bench.openInMiddle()
            table.add("kedge, ^E", try tallies(Key.rowDown, session))
        } catch {
            table.skip("kedge, ^E", "\(error)")
        }
        table.note(
            "Medians of each column. \"around\" is what was written into the first two rows, the last row and the last two"
        )
        table.note(
            "columns (title, day, status, scroll bar), with the sequences that lead there; \"rows\" is the rest of the")
        table.note(
            "cells, scrolling and erasing; \"cursor\" is what comes after the last cell. less has no such rows."
        )
    }

    private static func tallies(_ key: String, _ session: Session) throws -> [Double] {
        var tallies: [Tally] = []
        for _ in 0..<50 {
            session.resetTally()
            try session.type(key)
            if try session.burst(quiet: 0.02) != nil { tallies.append(session.screen.tally) }
        }
        guard tallies.count > 25 else {
            throw Failure("only \(tallies.count) of 50 keys were answered\n\(session.screen.dump)")
        }
        return [\Tally.total, \.content, \.frame, \.rest].map { part in
            Samples(tallies.map { Double($0[keyPath: part]) }).median
        }
    }
}

/// The sequences of keys.
enum Key {
    static let pageUp = "\u{1B}[5~"
    static let pageDown = "\u{1B}[6~"
    // As xterm sends them in application mode.
    static let home = "\u{1B}OH"
    static let end = "\u{1B}OF"
    static let rowDown = "\u{05}"
    static let enter = "\r"
}
