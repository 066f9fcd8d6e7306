import Foundation

extension Race {
    /// The time to build the index.
    static func buildIndex(_ bench: Bench) throws {
        var table = Table("e. Building the index of the whole archive")
        bench.measure("kedge index --rebuild", in: &table) {
            guard bench.hasIndex else { throw Failure(Bench.noIndex) }
            return try bench.run(["index", "--rebuild"], .rebuilt, within: 1_800).seconds
        }
        bench.measure("kedge index --rebuild --no-text", in: &table) {
            guard bench.hasIndexWithoutText else {
                throw Failure(bench.hasIndex ? "this kedge has no `index --no-text`" : Bench.noIndex)
            }
            return try bench.run(["index", "--rebuild", "--no-text"], .rebuilt, within: 1_800).seconds
        }
        bench.measure("wc -l, to read all files once", in: &table) {
            try Run(Command(["wc", "-l"] + bench.corpus.segments(), bench.environment())).seconds
        }
    }

    /// The whole process, from its start to its end.
    static func searchOnPipe(_ bench: Bench) throws {
        var table = Table("f. Fifty hits on a pipe, the whole process")
        let corpus = bench.corpus
        bench.measure("grep -F RARE, all files", in: &table) {
            let command = ["grep", "-h", "-F", corpus.rare.word] + (try corpus.segments())
            return try Run(Command(command, bench.environment())).seconds
        }
        for (name, word) in [("RARE", corpus.rare.word), ("MEDIUM", corpus.medium), ("COMMON", corpus.common)] {
            for cache in [Bench.Cache.indexed, .empty] {
                let title = "kedge search \(name), \(cache == .indexed ? "index" : "no index")"
                bench.measure(title, in: &table) {
                    try bench.run(["search", word, "--limit", "50"], cache).seconds
                }
            }
        }
        table.note(
            "RARE is in one message, MEDIUM (\(corpus.medium)) in some of a million, COMMON (\(corpus.common)) in a third."
        )
    }

    /// From the last of four letters until a row shows a hit.
    static func searchAsTyped(_ bench: Bench) throws {
        var table = Table("g. First hits as one types, from the last of four keys, 50 ms apart")
        for (name, word) in [("MEDIUM", bench.corpus.medium), ("COMMON", "tide")] {
            let letters = String(word.prefix(4))
            for cache in [Bench.Cache.indexed, .empty] {
                bench.measure("kedge, s \(name) (\(letters)), \(cache == .indexed ? "index" : "no index")", in: &table)
                {
                    try firstHits(bench, letters, cache)
                }
            }
        }
    }

    /// From the last of three letters until all hits in the conversation are counted, and the memory for that.
    static func countHits(_ bench: Bench) throws {
        var table = Table("l. Counting the hits of a common word, / the")
        var memory: [Double] = []
        for cache in [Bench.Cache.indexed, .empty] {
            bench.measure("kedge, / the, \(cache == .indexed ? "index" : "no index")", in: &table) {
                let session = try bench.open([], cache)
                try session.wait(for: "newest message", within: 120) { $0.contains(bench.corpus.last.word) }
                try session.settle()
                try session.type("/th")
                try session.settle(quiet: 0.5, within: 5)
                let pressed = Stopwatch.now
                try session.type("e")
                let end = try session.wait(for: "number of all hits", within: 600) { screen in
                    screen.text(screen.rows - 1).contains("/the") && screen.text(screen.rows - 1).contains(" of ")
                }
                memory.append(try Machine.bytes("VmHWM", of: session.process))
                return end - pressed
            }
        }
        let most = memory.max().map { "\(Int($0) >> 20) MiB" } ?? "unknown"
        table.note("Most memory of all runs, also while an index is made: \(most).")
    }

    private static func firstHits(_ bench: Bench, _ letters: String, _ cache: Bench.Cache) throws -> Double {
        let session = try bench.open([], cache)
        try session.wait(for: "newest message", within: 120) { $0.contains(bench.corpus.last.word) }
        try session.settle()
        try session.type("s")
        try session.wait(for: "prompt of the search") { $0.text(0).contains("Search everywhere:") }
        var pressed = 0.0
        for (index, letter) in letters.enumerated() {
            pressed = Stopwatch.now
            try session.type(String(letter))
            if index == letters.count - 1 { break }
            while case let left = pressed + 0.05 - Stopwatch.now, left > 0 {
                _ = try session.burst(first: left, quiet: 0)
            }
        }
        // The prompt has all four letters; the rows below it may still belong to three.
        let end = try session.wait(for: "row of hits", within: 60) { screen in
            let prompt = screen.text(0)
            return prompt.contains(letters) && prompt.contains(" hit") && !prompt.contains("no match")
                && screen.text(2).contains { $0.isNumber }
        }
        return end - pressed
    }
}
