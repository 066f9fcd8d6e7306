extension Race {
    /// How each program reaches a message in the middle by one of its words.
    static func reachMessage(_ bench: Bench) throws {
        var table = Table("d. To a message in the middle, from the start of the program")
        let corpus = bench.corpus
        bench.measure("kedge --at MIDDLE, index", in: &table) { try atMiddle(bench, .indexed) }
        bench.measure("kedge --at MIDDLE, no index", in: &table) { try atMiddle(bench, .empty) }
        bench.measure("less -p WORD, the log", in: &table) {
            try seen(corpus.middle.word, by: bench.start("less", "-p", corpus.middle.word, corpus.log))
        }
        bench.measure("less -p WORD, a line a message", in: &table) {
            try seen(corpus.middle.word, by: bench.start("less", "-p", corpus.middle.word, corpus.text))
        }
        bench.measure("lnav, :goto LINE", in: &table) {
            try seen(corpus.middle.word, by: bench.start("lnav", "-c", ":goto \(line(of: corpus.middle))", corpus.text))
        }
        bench.measure("lnav, /WORD", in: &table) {
            // It jumps to hits only while a user types, and only below its position.
            let session = try bench.start("lnav", "-c", ":goto 0", corpus.text)
            try session.wait(for: "first line", within: 120) { $0.text(Session.rows - 2).contains("L0 ") }
            try session.type("/\(corpus.middle.word)" + Key.enter)
            return try seen(corpus.middle.word, by: session)
        }
        weechat(bench, &table)
        table.note("lnav is told the line, counted before. WeeChat has all messages as the backlog of a channel;")
        table.note(
            "its time begins when the channel is joined, not with its start, and ends where its search finds WORD.")
    }

    /// The last rows do not count: programs repeat the searched word there.
    static func seen(_ word: String, by session: Session) throws -> Double {
        try session.wait(for: "message in the middle", within: 120) { screen in
            screen.contains(word, in: 0..<Session.rows - 3)
        } - session.start
    }

    /// The line of a landmark: lines count from 0, messages from 1.
    static func line(of landmark: Corpus.Landmark) -> Int { (Int(landmark.id.drop { !$0.isNumber }) ?? 1) - 1 }

    private static func weechat(_ bench: Bench, _ table: inout Table) {
        let names = ["WeeChat, until the backlog is there", "WeeChat, and the message is found"]
        do {
            var loads: [Double] = []
            var finds: [Double] = []
            repeat {
                let chat = try WeeChat(bench)
                loads.append(try chat.load())
                finds.append(loads[loads.count - 1] + (try chat.find(bench.corpus.middle.word)))
            } while finds.count < bench.settings.runs && finds[0] <= 10
            table.add(names[0], Samples(loads))
            table.add(names[1], Samples(finds))
        } catch {
            table.skip(names[1], "\(error)")
        }
    }
}
