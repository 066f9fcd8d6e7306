extension Race {
    /// The memory that stays in use after much has been read.
    static func compareMemory(_ bench: Bench) throws {
        var table = Table("i. Memory after looking around", unit: .bytes, columns: ["now", "most"])
        let small = try Bench(bench, size: 10_000)
        for bench in bench.corpus.size == small.corpus.size ? [bench] : [small, bench] {
            do {
                table.add("kedge, \(bench.corpus.size) messages", try memory(afterWalk: bench))
            } catch {
                table.skip("kedge, \(bench.corpus.size) messages", "\(error)")
            }
        }
        let corpus = bench.corpus
        for (name, arguments) in [
            ("less -p WORD, \(corpus.size) messages", ["less", "-p", corpus.middle.word, corpus.text]),
            ("lnav :goto, \(corpus.size) messages", ["lnav", "-c", ":goto \(line(of: corpus.middle))", corpus.text]),
        ] {
            do {
                let session = try Session(Command(arguments, bench.environment()))
                _ = try seen(corpus.middle.word, by: session)
                try session.settle()
                table.add(name, try memory(of: session))
            } catch {
                table.skip(name, "\(error)")
            }
        }
        do {
            let chat = try WeeChat(bench)
            _ = try chat.load()
            table.add("WeeChat, \(corpus.size) messages", try memory(of: chat.session))
        } catch {
            table.skip("WeeChat, \(corpus.size) messages", "\(error)")
        }
        table.note(
            "kedge: in the middle, 200 PgUp, 200 PgDn, Home, End, 20 jumps to a date; the others: in the middle only.")
    }

    /// VmRSS and VmHWM.
    static func memory(of session: Session) throws -> [Double] {
        [try Machine.bytes("VmRSS", of: session.process), try Machine.bytes("VmHWM", of: session.process)]
    }

    static func memory(afterWalk bench: Bench) throws -> [Double] {
        let session = try bench.openInMiddle()
        _ = try press(Key.pageUp, 200, in: session)
        _ = try press(Key.pageDown, 200, in: session)
        for key in [Key.home, Key.end] {
            try session.type(key)
            try session.settle()
        }
        try session.wait(for: "newest message") { $0.contains(bench.corpus.last.word) }
        for number in 0..<20 {
            // In various places: nine years, and another one each time.
            let date = "\(2016 + number * 7 % 9)-\(number % 2 == 0 ? "05" : "11")-1\(number % 10)"
            try session.type("d")
            try session.settle(quiet: 0.05)
            try session.type(date + Key.enter)
            try session.settle()
        }
        return try memory(of: session)
    }

    /// A program at rest must not wake up.
    static func countWakeUps(_ bench: Bench) throws {
        var table = Table(
            "k. Wake-ups in 10 s at rest, all threads", unit: .count, columns: ["wake-ups", "ended", "threads"])
        let session = try bench.openInMiddle()
        for (name, rest) in [("kedge, from 3 s after the last output on", 3.0), ("kedge, from 20 s on", 7.0)] {
            try session.settle(quiet: rest, within: rest)
            let before = try Machine.sleeps(of: session.process)
            try session.settle(quiet: 10, within: 10)
            let after = try Machine.sleeps(of: session.process)
            // A thread that has ended was woken to end.
            let ended = before.keys.count { after[$0] == nil }
            let wakeUps = after.reduce(ended) { sum, thread in sum + thread.value - (before[thread.key] ?? 0) }
            table.add(name, [wakeUps, ended, after.count].map(Double.init))
        }
        table.note("Voluntary context switches within 10 s, and threads that have ended then.")
    }
}
