extension Race {
    /// The time until the first screen is complete.
    static func firstFrame(_ bench: Bench) throws {
        var table = Table("a. First screen, from the start of the program")
        let corpus = bench.corpus
        bench.measure("less, at the beginning", in: &table) { try lessFrame(bench) }
        bench.measure("kedge --start, no index", in: &table) { try frame(bench.open(["--start"], .empty)) }
        bench.measure("kedge --start, index", in: &table) { try frame(bench.open(["--start"], .indexed)) }
        bench.measure("less +G, at the end", in: &table) {
            let session = try bench.start("less", "+G", corpus.text)
            return try session.wait(for: "last message", within: 120) { $0.contains(corpus.last.word) } - session.start
        }
        bench.measure("kedge, newest, no index", in: &table) { try atNewest(bench, .empty) }
        bench.measure("kedge, newest, index", in: &table) { try atNewest(bench, .indexed) }
        bench.measure("lnav, at the end", in: &table) {
            let session = try bench.start("lnav", corpus.text)
            return try session.wait(for: "last message", within: 120) { $0.contains(corpus.last.word) } - session.start
        }
        table.note("less: the log as it is at the beginning, a line a message at the end; lnav: a line a message.")
    }

    static func openAtMessage(_ bench: Bench) throws {
        let corpus = bench.corpus
        var table = Table(
            "b. Opening with an index, until the bytes of the message come",
            columns: ["median", "min", "max", "processor", "runs"])
        // The last row of less shows the name of the file.
        let log = corpus.log.split(separator: "/").last ?? ""
        let open = { (arguments: [String], target: String) in
            FirstBytes(bench.opening(arguments), bench.environment(.indexed), target: target)
        }
        try bench.race(
            [
                ("less, at the beginning", FirstBytes(["less", corpus.log], bench.environment(), target: String(log))),
                ("kedge --at MIDDLE, index", open(["--at", corpus.middle.id], corpus.middle.word)),
                ("kedge, newest, index", open([], corpus.last.word)),
            ], in: &table)
    }

    static func openWithoutIndex(_ bench: Bench) throws {
        var table = Table("c. Opening without an index (the cache folder is removed before each run)")
        bench.measure("less, at the beginning", in: &table) { try lessFrame(bench) }
        bench.measure("kedge --at MIDDLE, no index", in: &table) { try atMiddle(bench, .empty) }
        bench.measure("kedge, newest, no index", in: &table) { try atNewest(bench, .empty) }
    }

    private static func lessFrame(_ bench: Bench) throws -> Double {
        try frame(bench.start("less", bench.corpus.log))
    }

    static func atMiddle(_ bench: Bench, _ cache: Bench.Cache) throws -> Double {
        let session = try bench.open(["--at", bench.corpus.middle.id], cache)
        let word = bench.corpus.middle.word
        return try session.wait(for: "message in the middle", within: 120) { $0.contains(word) } - session.start
    }

    private static func atNewest(_ bench: Bench, _ cache: Bench.Cache) throws -> Double {
        let session = try bench.open([], cache)
        let word = bench.corpus.last.word
        return try session.wait(for: "newest message", within: 120) { $0.contains(word) } - session.start
    }

    /// Until the last two rows show something, and so do nearly all others.
    private static func frame(_ session: Session) throws -> Double {
        let rows = Session.rows
        return try session.wait(for: "full screen", within: 120) { screen in
            !screen.isBlank(rows - 1) && !screen.isBlank(rows - 2)
                && (0..<rows).count(where: { !screen.isBlank($0) }) > rows - 6
        } - session.start
    }
}
