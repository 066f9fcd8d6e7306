import Dates
import Testing

@testable import Formats

struct IRCGrammarTests {
    @Test(arguments: chunks) func `WeeChat writes prefixes between tabs`(chunk: Int) throws {
        let log = try IRCRecords(
            """
            2026-03-28 23:59:36\t-->\tana (~ana@host) has joined #kedge
            2026-03-28 23:59:37\t-->\tben [ben] (Ben (really)) (~ben@host) has joined #kedge
            2026-03-28 23:59:52\t@ana\thello
            2026-03-28 23:59:53\t *\tben waves
            2026-03-28 23:59:54\t--\tNotice(ana): lunch
            2026-03-28 23:59:54\t--\tNotice(irc.example.org): look up
            2026-03-28 23:59:55\t--\tben is now known as benny
            2026-03-28 23:59:56\t--\tMode #kedge [+o ana] by ChanServ
            2026-03-28 23:59:57\t<--\tana has kicked benny (bye)
            2026-03-28 23:59:58\t<--\tana (~ana@host) hat den Kanal verlassen
            2026-03-28 23:59:59\t=!=\tirc: connection refused
            2026-03-29 00:00:00\t\tPlugins loaded

            """, chunk: chunk)
        #expect(
            log.lines == [
                "[join ana] ana (~ana@host) has joined #kedge",
                "[join ben] ben [ben] (Ben (really)) (~ben@host) has joined #kedge",
                "ana: hello", "* ben waves", "ana: lunch", "[] Notice(irc.example.org): look up",
                "[nick ben > benny] ben is now known as benny", "[mode ChanServ] Mode #kedge [+o ana] by ChanServ",
                "[leave benny] ana has kicked benny (bye)", "[leave ana] ana (~ana@host) hat den Kanal verlassen",
                "[] irc: connection refused", "[] Plugins loaded",
            ])
        #expect(log.times.last == "2026-03-29T00:00:00Z")
        #expect(log.converted.problems.isEmpty)
    }

    @Test func `one WeeChat log can hold local times and UTC`() throws {
        let log = try IRCRecords(
            """
            2025-11-30 12:00:00\tana\told
            2025-12-01 12:34:56.789012Z\tana\tnew
            2025-12-01T12:34:57.789012Z\tana\tother

            """, zone: Zone(secondsEast: 3_600))
        #expect(log.times == ["2025-11-30T11:00:00Z", "2025-12-01T12:34:56.789Z", "2025-12-01T12:34:57.789Z"])
        #expect(log.converted.archive.conversations.first?.feeds.first?.setting == "weechat T")
    }

    @Test(arguments: chunks) func `irssi tells the date in lines of its own`(chunk: Int) throws {
        let log = try IRCRecords(
            """
            --- Log opened Sat Mar 28 23:59:42 2026
            23:59 -!- ana [~ana@host] has joined #kedge
            23:59 -!- a]_[b [~a]_[b@host] has joined #kedge
            23:59 < ana> hi
            23:59 <@ben> oh
            --- Day changed Sun Mar 29 2026
            00:00  * ana waves & says * hi
            00:00 -ana:#kedge- notice
            00:00 -!- mode/#kedge [+o ana] by ben
            00:01 -!- ben is now known as benny
            00:01 -!- Netsplit a.example <-> b.example quits: ana, x
            00:02 -!- Netsplit over, joins: ana
            00:03 -!- ana was kicked from #kedge by benny [no]
            00:04 -!- Irssi: #kedge: Total of 2 nicks
            00:05 -!- ana changed the topic of #kedge to: tides
            --- Log closed Sun Mar 29 00:05:25 2026

            """, chunk: chunk)
        #expect(
            log.lines == [
                "[join ana] ana [~ana@host] has joined #kedge", "[join a]_[b] a]_[b [~a]_[b@host] has joined #kedge",
                "ana: hi", "ben: oh", "* ana waves & says * hi",
                "ana: notice", "[mode ben] mode/#kedge [+o ana] by ben", "[nick ben > benny] ben is now known as benny",
                "[leave -] Netsplit a.example <-> b.example quits: ana, x", "[join -] Netsplit over, joins: ana",
                "[leave ana] ana was kicked from #kedge by benny [no]", "[] Irssi: #kedge: Total of 2 nicks",
                "[] ana changed the topic of #kedge to: tides",
            ])
        #expect(log.times[3...5] == ["2026-03-28T23:59:00Z", "2026-03-29T00:00:00Z", "2026-03-29T00:00:00Z"])
        #expect(log.converted.problems.isEmpty)
    }

    @Test(arguments: [
        ("--- Day changed So Mär 29 2026", "2026-03-29"), ("--- Day changed dim. mars 29 2026", "2026-03-29"),
        ("--- Day changed вс мар 29 2026", "2026-03-29"), ("--- Day changed dom ago 02 2026", "2026-08-02"),
        ("--- Day changed 2026-03-29", "2026-03-29"), ("--- Day changed su helmi 01 2026", "2026-02-01"),
    ]) func `irssi tells the date in the language of its user`(line: String, date: String) throws {
        let log = try IRCRecords("\(line)\n12:00 <ana> hi\n")
        #expect(log.times == ["\(date)T12:00:00Z"])
    }

    @Test func `an unknown name of a month is the next that has the day`() throws {
        let log = try IRCRecords(
            "--- Log opened Sat Mar 28 23:59:42 2026\n23:59 <ana> a\n--- Day changed xx Yyyyy 02 2026\n00:01 <ana> b\n")
        #expect(log.times == ["2026-03-28T23:59:00Z", "2026-04-02T00:01:00Z"])
    }

    @Test(arguments: chunks) func `ZNC and soju tell the date in names of files`(chunk: Int) throws {
        let text = """
            [17:02:03] *** Joins: ana (~ana@host)
            [17:02:04] <ana> hi
            [17:02:05] * ana is now known as nobody
            [17:02:06] -ana- notice
            [17:02:07] *** ana is now known as anna
            [17:02:08] *** ben sets mode: +o anna
            [17:02:09] *** anna was kicked by ben (no)
            [17:02:10] *** Quits: ben (~ben@host) (bye)
            [17:02:11] *** Parts: x (~x@host) ()
            [17:02:12] *** ben changes topic to 'tides'

            """
        let log = try IRCRecords(["libera/#kedge/2026-03-29.log": Array(text.utf8)], chunk: chunk)
        #expect(
            log.lines == [
                "[join ana] Joins: ana (~ana@host)", "ana: hi", "* ana is now known as nobody", "ana: notice",
                "[nick ana > anna] ana is now known as anna", "[mode ben] ben sets mode: +o anna",
                "[leave anna] anna was kicked by ben (no)", "[leave ben] Quits: ben (~ben@host) (bye)",
                "[leave x] Parts: x (~x@host) ()", "[] ben changes topic to 'tides'",
            ])
        #expect(log.times[0] == "2026-03-29T17:02:03Z")
    }

    @Test(arguments: chunks) func `HexChat tells the year where a log begins, and years roll over`(chunk: Int) throws {
        let log = try IRCRecords(
            """
            **** BEGIN LOGGING AT Thu Dec 30 23:59:44 2010

            Dec 30 23:59:44 *\tNow talking on #kedge
            Dec 31 23:59:44 <ana>\thi
            Jan  1 00:00:01 *\t[x]_ waves
            Jan  1 00:00:01 *\t[ana] (~ana@host): Ana
            Jan  1 00:00:02 *\tben (~ben@host) has joined
            Jan  1 00:00:03 *\tben is now known as benny
            Jan  1 00:00:04 *\tana gives channel operator status to benny
            Jan  1 00:00:05 *\tana has kicked benny from #kedge (no)
            Jan  1 00:00:06 -ana-\tnotice
            Jan  1 00:00:07 *\tbenny has quit (bye)
            **** ENDING LOGGING AT Sat Jan  1 00:00:08 2011


            """, chunk: chunk)
        #expect(
            log.lines == [
                "[] Now talking on #kedge", "ana: hi", "* [x]_ waves", "[] [ana] (~ana@host): Ana",
                "[join ben] ben (~ben@host) has joined",
                "[nick ben > benny] ben is now known as benny", "[mode ana] ana gives channel operator status to benny",
                "[leave benny] ana has kicked benny from #kedge (no)", "ana: notice",
                "[leave benny] benny has quit (bye)",
            ])
        #expect(log.times[1...2] == ["2010-12-31T23:59:44Z", "2011-01-01T00:00:01Z"])
    }

    @Test(arguments: [
        ("2018-09-21T20:22:23  <ana> hi", "2018-09-21T20:22:23Z", "ana: hi"),
        (
            "2018-09-21T20:22:23  *** ana <ana!~a@host> has joined #kedge", "2018-09-21T20:22:23Z",
            "[join ana] ana <ana!~a@host> has joined #kedge"
        ),
        ("2018-09-21T20:22:23  * ana waves", "2018-09-21T20:22:23Z", "* ana waves"),
        ("[2018-09-21 20:22:23] <ana> hi", "2018-09-21T20:22:23Z", "ana: hi"),
        ("[2018-09-21 20:22:23] ana: hi", "2018-09-21T20:22:23Z", "ana: hi"),
        ("[2018-09-21T20:22:23+0200] <ana> hi", "2018-09-21T18:22:23Z", "ana: hi"),
        ("[2018-09-21T20:22:23-0230] • ana: waves", "2018-09-21T22:52:23Z", "* ana waves"),
        ("[2018-09-21T20:22:23+0000] ana arrives", "2018-09-21T20:22:23Z", "[join ana] ana arrives"),
        ("1537561343 <ana> hi", "2018-09-21T20:22:23Z", "ana: hi"),
        (
            "1537561343 -!- ana(~ana@host) has joined #kedge", "2018-09-21T20:22:23Z",
            "[join ana] ana(~ana@host) has joined #kedge"
        ),
        ("2018-09-21 20:22 <ana> hi", "2018-09-21T20:22:00Z", "ana: hi"),
        ("[2018-09-21 12:22:23 AM] <ana> hi", "2018-09-21T00:22:23Z", "ana: hi"),
        ("[2018-09-21 12:22:23 pm] <ana> hi", "2018-09-21T12:22:23Z", "ana: hi"),
    ]) func `other programs write the date in each line`(line: String, time: String, meaning: String) throws {
        let log = try IRCRecords(line + "\n")
        #expect(log.times == [time])
        #expect(log.lines == [meaning])
    }

    @Test func `logs of eggdrop and Ubuntu tell the date in the path or in lines`() throws {
        let text = """
            === ana [~ana@host] has joined #ubuntu
            [09:01] <ana> hi
            [09:02]  * ana waves
            === ana is now known as anna
            [09:03] anna (~ana@host) left irc: bye
            [09:04] Nick change: x -> y
            [09:05] Action: y  waves

            """
        let log = try IRCRecords(["2015/03/01/#ubuntu.txt": Array(text.utf8)])
        #expect(
            log.lines == [
                "[join ana] ana [~ana@host] has joined #ubuntu", "ana: hi", "* ana waves",
                "[nick ana > anna] ana is now known as anna", "[leave anna] anna (~ana@host) left irc: bye",
                "[nick x > y] Nick change: x -> y", "* y  waves",
            ])
        #expect(log.times[1...3] == ["2015-03-01T09:01:00Z", "2015-03-01T09:02:00Z", "2015-03-01T09:02:00Z"])
        let other = try IRCRecords("[00:00] --- Sun Mar  1 2015\n[09:01] <ana> hi\n")
        #expect(other.times == ["2015-03-01T09:01:00Z"])
    }

    @Test func `mIRC tells the date where a session starts`() throws {
        let log = try IRCRecords(
            """
            Session Start: Thu May 19 23:58:00 2011
            Session Ident: #kedge
            [23:59] \u{3}03* ana (~ana@host) has joined #kedge
            [23:59] <ana> hi
            [00:01] * ana waves
            Session Close: Fri May 20 00:02:00 2011

            """)
        #expect(log.lines == ["[join ana] ana (~ana@host) has joined #kedge", "ana: hi", "* ana waves"])
        #expect(log.times == ["2011-05-19T23:59:00Z", "2011-05-19T23:59:00Z", "2011-05-20T00:01:00Z"])
    }

    @Test(arguments: [
        (
            "14:01 <ana> a\n--- Day changed Tue Nov 24 2026\n00:01 <ana> b\n",
            ["2026-11-23T14:01:00Z", "2026-11-24T00:01:00Z"]
        ),
        ("14:01 <ana> a\n--- Log closed Tue Nov 24 15:00:00 2026\n", ["2026-11-24T14:01:00Z"]),
        (
            "23:50 <ana> a\n00:10 <ana> b\n**** ENDING LOGGING AT Tue Nov 24 15:00:00 2026\n",
            ["2026-11-23T23:50:00Z", "2026-11-24T00:10:00Z"]
        ),
        ("23:50 <ana> a\n**** BEGIN LOGGING AT Tue Nov 24 15:00:00 2026\n", ["2026-11-23T23:50:00Z"]),
        ("[23:50] <ana> a\nSession Start: Tue Nov 24 15:00:00 2026\n", ["2026-11-23T23:50:00Z"]),
    ])
    func `a log that was cut has the day of its first marker`(text: String, times: [String]) throws {
        let converted = try Converted(Source(["#k.log": Array(text.utf8)]), by: IRCFormat())
        #expect(converted.records["k"]?.compactMap { $0["at"] as? String } == times)
        #expect(converted.problems.isEmpty)
    }

    @Test func `no day is made up from the time at which a file was changed`() throws {
        let text = "09:00 <ana> a\n09:01 <ben> b\n"
        for changed in [Int64(0), 1_795_477_800_000_000_000] {
            let files = [SourceFile(path: "#k.log", size: Int64(text.utf8.count), modified: changed)]
            let source = Source(name: "logs", files: files, reader: MemorySource(["#k.log": Array(text.utf8)]))
            let converted = try Converted(source, by: IRCFormat())
            #expect(converted.records["k"]?.compactMap { $0["at"] as? String }.first == "1970-01-01T09:00:00Z")
            #expect(converted.problems.map(\.kind) == [IRCGrammarTests.noDay])
        }
    }

    private static let noDay =
        "the day is unknown: no line, file name or folder gives it; Kedge uses 1 January 1970"

    @Test func `a log that tells no day has that of its earlier or later rotation`() throws {
        func times(_ files: [String: String]) throws -> [String] {
            let converted = try Converted(Source(files.mapValues { Array($0.utf8) }), by: IRCFormat())
            #expect(converted.problems.isEmpty)
            return converted.records["k"]?.compactMap { $0["at"] as? String } ?? []
        }
        let first = "--- Log opened Mon Nov 23 14:00:00 2026\n14:00 <ana> a\n"
        #expect(
            try times(["#k.log.1": first, "#k.log": "14:02 <ana> b\n00:10 <ana> c\n"])
                == ["2026-11-23T14:00:00Z", "2026-11-23T14:02:00Z", "2026-11-24T00:10:00Z"])
        #expect(
            try times(["#k.log.1": first, "#k.log": "00:10 <ana> b\n"]) == [
                "2026-11-23T14:00:00Z", "2026-11-24T00:10:00Z",
            ])
        #expect(
            try times(["#k.log.1": "23:00 <ana> b\n", "#k.log": first]) == [
                "2026-11-22T23:00:00Z", "2026-11-23T14:00:00Z",
            ])
    }

    @Test(arguments: [
        (
            "### Log session started at Tue Mar 5 09:00:00 2024 ###\n[09:00:01] <ana> hi\n### Log session terminated at Tue Mar 5 10:00:00 2024 ###\n",
            ["2024-03-05T09:00:01Z"]
        ),
        (
            "**** BEGIN LOGGING AT Tue Mar  5 09:00:00 2024\n\n19:00:00 <ana>\thi\n00:01:00 <ana>\tho\n",
            ["2024-03-05T19:00:00Z", "2024-03-06T00:01:00Z"]
        ),
        ("**** DÉBUT DU JOURNAL À mar. 06 févr. 2024\n09:00 <ana> hi\n", ["2024-02-06T09:00:00Z"]),
        ("--- Log opened mar feb 06 09:00:00 2024\n09:00 <ana> hi\n", ["2024-02-06T09:00:00Z"]),
        ("--- Log opened вт марта 05 09:00:00 2024\n09:00 <ana> hi\n", ["2024-03-05T09:00:00Z"]),
        ("[Tue Mar  5 2024]\n[09:00] <ana> hi\n", ["2024-03-05T09:00:00Z"]),
        ("IRC log started Tue Mar  5 09:00:00 2024\n[09:00] <ana> hi\n", ["2024-03-05T09:00:00Z"]),
        ("[Tuesday 05 March 2024] [09:00:00] <ana>\thi\n", ["2024-03-05T09:00:00Z"]),
        ("[Tue Mar 05 2024 09:00:00] <ana> hi\n", ["2024-03-05T09:00:00Z"]),
        ("[Tue Mar 05 2024 9:00:00 PM] <ana> hi\n", ["2024-03-05T21:00:00Z"]),
        ("[Tuesday, 5 March 2024] [09:00:00 CET] <ana>\thi\n", ["2024-03-05T09:00:00Z"]),
        ("[Tuesday, 5 March 2024] [9:00:00 PM CET] <ana>\thi\n", ["2024-03-05T21:00:00Z"]),
        ("[Dienstag, 5. März 2024] [09:00:00 MEZ] <ana>\thi\n", ["2024-03-05T09:00:00Z"]),
        (
            "[13/03/2024 09:00:00] <ana> hi\n[05/04/2024 9:01 PM] <ana> ho\n",
            ["2024-03-13T09:00:00Z", "2024-04-05T21:01:00Z"]
        ),
        ("05.03.24 09:00 <ana> hi\n", ["2024-03-05T09:00:00Z"]),
        (
            "[3/13/24, 9:00 PM] <ana> hi\n[3/14/24, 9:00 AM] <ana> ho\n",
            ["2024-03-13T21:00:00Z", "2024-03-14T09:00:00Z"]
        ),
    ])
    func `the day stands in the lines of another program, in another language, or in the line`(
        text: String, times: [String]
    ) throws {
        let log = try IRCRecords(text)
        #expect(log.times == times)
        #expect(log.lines.first == "ana: hi")
    }

    @Test(arguments: ["/", "-"]) func `a log may have the month before the day, and what its days leave open is said`(
        mark: String
    ) throws {
        let log = try IRCRecords(
            (1...11).map { "[03\(mark)\($0 < 10 ? "0" : "")\($0)\(mark)2024 09:00:00] <ana> hi\n" }.joined())
        #expect(log.times.map { $0.prefix(10) }.last == "2024-03-11")
        #expect(log.converted.problems.map { $0.kind.contains("--dates mdy or --dates dmy") } == [true])
    }

    @Test(arguments: ["latin1": "Mär", "koi8-r": "мар", "cp1251": "мар", "shift_jis": "3月", "iso-8859-2": "bře"])
    func `a day is told in an old character set`(charset: String, month: String) throws {
        let name = try #require(Self.encodings[charset])
        let line = Array("--- Log opened xx ".utf8) + name + Array(" 05 09:00:00 2024\n09:00 <ana> hi\n".utf8)
        #expect(try IRCRecords(["#k.log": line]).times == ["2024-03-05T09:00:00Z"], "\(month)")
    }

    private static let encodings: [String: [UInt8]] = [
        "latin1": [0x4D, 0xE4, 0x72], "koi8-r": [0xCD, 0xC1, 0xD2], "cp1251": [0xEC, 0xE0, 0xF0],
        "shift_jis": [0x33, 0x8C, 0x8E], "iso-8859-2": [0x62, 0xF8, 0x65],
    ]

    @Test(arguments: [
        ("09:00AM", "09:00"), ("12:01AM", "00:01"), ("01:12PM", "13:12"), (" 1:12pm", "13:12"), ("12:30 p.m.", "12:30"),
        ("[9:12 PM]", "21:12"), ("[09:12am]", "09:12"), ("[9:12:33\u{202F}PM]", "21:12"), ("[9:12午後]", "21:12"),
        ("[9:12]", "09:12"),
    ])
    func `clocks of twelve hours`(time: String, hour: String) throws {
        let text = "--- Log opened Tue Mar 05 09:00:00 2024\n\(time) <@ana> hi\n"
        #expect(try IRCRecords(text).times.first.map { String($0.dropFirst(11).prefix(5)) } ?? "-" == hour)
    }

    @Test func `programs that write a name and a colon`() throws {
        let log = try IRCRecords([
            "#k_2024-03-05.txt": Array(
                """
                09:12:33 cy has joined (~cy@host.example)
                09:13:00 ana: hi
                09:13:01 am: pm
                09:13:02 sore: see you: at six
                09:14:00 cy is now known as cy_
                09:14:10 cy_ has left IRC (Ping timeout)

                """.utf8)
        ])
        #expect(
            log.lines == [
                "[join cy] cy has joined (~cy@host.example)", "ana: hi", "am: pm", "sore: see you: at six",
                "[nick cy > cy_] cy is now known as cy_", "[leave cy_] cy_ has left IRC (Ping timeout)",
            ])
    }

    @Test(arguments: chunks) func `The Lounge writes a message of several lines`(chunk: Int) throws {
        let log = try IRCRecords(
            """
            [2024-03-05T09:00:00.000Z] *** cy (~cy@host) joined
            [2024-03-05T09:02:00.000Z] <ben> first
            [2024-03-05T09:02:00.000Z] | second
            [2024-03-05T09:03:00.000Z] *** cy changed nick to cy_
            [2024-03-05T09:03:10.000Z] *** cy_ (~cy@host) left (bye)
            [2024-03-05T09:03:20.000Z] *** dan (~d@host) quit (Ping timeout)

            """, chunk: chunk)
        #expect(
            log.lines == [
                "[join cy] cy (~cy@host) joined", "ben: first\nsecond", "[nick cy > cy_] cy changed nick to cy_",
                "[leave cy_] cy_ (~cy@host) left (bye)", "[leave dan] dan (~d@host) quit (Ping timeout)",
            ])
    }

    @Test(arguments: [
        ("*\tcy (~cy@host) ist beigetreten.", "[join cy]"), ("*\tcy (~cy@host) vient de rentrer", "[join cy]"),
        ("*\tcy (~cy@host) ist gegangen.", "[leave cy]"), ("*\tcy hat die Verbindung getrennt (bye).", "[leave cy]"),
        ("*\tcy heißt jetzt cy_", "[nick cy > cy_]"), ("*\tcy теперь известен как cy_", "[nick cy > cy_]"),
        ("*\tcy вышел (bye)", "[leave cy]"), ("*\tcy (~cy@host) foo bar", "[cy]"), ("*\tcy waves", "* cy"),
        ("*\tcy setzt Modus +o ben auf #k", "[mode cy]"),
    ])
    func `HexChat tells of people in the language of its user`(line: String, meaning: String) throws {
        let log = try IRCRecords("**** BEGIN LOGGING AT Tue Mar  5 09:00:00 2024\nMär 05 09:00:00 \(line)\n")
        #expect(log.lines.first?.hasPrefix(meaning) == true, "\(log.lines)")
    }

    @Test func `a day into which two programs wrote is shown, and said`() throws {
        let good = (0..<9).map { "09:0\($0) < ana> text \($0)\n" }.joined()
        let bad = (0..<5).map {
            "10:0\($0) 10:0\($0) < ben> twice< ben> twice\n< ben> twice\n\n10:0\($0) < ana> good\n"
        }.joined()
        let converted = try Converted(
            Source(["k/2014-12-24.log": Array(good.utf8), "k/2014-12-25.log": Array(bad.utf8)]), by: IRCFormat())
        #expect(converted.records["k"]?.count == 19)
        #expect(Set(converted.problems.map(\.kind)) == ["line with two times"])
        #expect(converted.problems.count == 5)
    }

    @Test func `logs that tell no day stand after their earlier rotations`() throws {
        let texts = [
            "#k.log.2": "--- Log opened Mon Nov 23 14:00:00 2026\n14:00 <ana> a\n", "#k.log.1": "14:01 <ana> b\n",
            "#k.log": "14:02 <ana> c\n", "#k.2026-11-20.log": "14:02 <ana> dated\n",
        ]
        let files = texts.map {
            SourceFile(path: $0.key, size: Int64($0.value.utf8.count), modified: 1_795_446_000 * 1_000_000_000)
        }
        let source = Source(name: "logs", files: files, reader: MemorySource(texts.mapValues { Array($0.utf8) }))
        let feeds = try IRCFormat().archive(in: source).conversations.flatMap(\.feeds)
        #expect(feeds.map(\.file) == ["#k.2026-11-20.log", "#k.log.2", "#k.log.1", "#k.log"])
    }

    @Test func `a clock that is put back a little begins no new day`() throws {
        let log = try IRCRecords(
            "Session Start: Thu May 19 20:00:00 2011\n[20:00:05] <ana> a\n[20:00:03] <ana> b\n[00:00:01] <ana> c\n")
        #expect(log.times == ["2011-05-19T20:00:05Z", "2011-05-19T20:00:03Z", "2011-05-20T00:00:01Z"])
    }

    @Test func `a log without any date is said to have none`() throws {
        let log = try IRCRecords("[23:59] <ana> a\n[00:01] <ana> b\n", file: "#kedge.log")
        #expect(log.times == ["1970-01-01T23:59:00Z", "1970-01-02T00:01:00Z"])
        #expect(log.converted.problems.map(\.kind) == [IRCGrammarTests.noDay])
    }
}
