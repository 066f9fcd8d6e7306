import Foundation

/// The setting of the races: the messages, the programs, and folders for everything that these write.
final class Bench {
    let settings: Settings
    let corpus: Corpus
    /// Whether this kedge has `index`, and its option for all but the words.
    let hasIndex: Bool
    let hasIndexWithoutText: Bool

    private var figures: [String: Samples] = [:]
    private var isIndexed: Set<String> = []

    static let noIndex = "this kedge has no `index`"

    /// The contents of kedge's cache folder.
    enum Cache: String {
        case indexed, empty, rebuilt
    }

    init(_ settings: Settings, _ corpus: Corpus) throws {
        self.settings = settings
        self.corpus = corpus
        let help = try? Run(Command([settings.kedge, "index", "--help"], ProcessInfo.processInfo.environment))
        let text = String(decoding: help?.output ?? [], as: UTF8.self)
        hasIndex = help?.status == 0 && text.contains("--rebuild")
        hasIndexWithoutText = hasIndex && text.contains("--no-text")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }

    /// With other messages and the same programs.
    convenience init(_ bench: Bench, size: Int) throws {
        try self.init(bench.settings, Corpus(size: size, folder: bench.settings.folder))
    }

    var home: String { settings.folder + "/home" }

    func environment(_ cache: Cache = .empty) -> [String: String] {
        [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": home, "TZ": "UTC",
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "LESSHISTFILE": "-", "XDG_CONFIG_HOME": home + "/config",
            "XDG_STATE_HOME": home + "/state", "XDG_CACHE_HOME": home + "/cache-" + cache.rawValue,
        ]
    }
}

// MARK: - Programs

extension Bench {
    /// Another program in a terminal.
    func start(_ arguments: String...) throws -> Session { try Session(Command(arguments, environment())) }

    /// `kedge open general`, as on the first day of the archive: nothing was read before, and the cache folder may be
    /// empty.
    func open(_ arguments: [String], _ cache: Cache) throws -> Session {
        try prepare(cache)
        return try Session(Command(opening(arguments), environment(cache)))
    }

    func opening(_ arguments: [String]) -> [String] {
        [settings.kedge, "open", "general"] + arguments + ["--archive", corpus.archive]
    }

    /// At the message in the middle, when the screen has settled: with an index if this kedge has any.
    func openInMiddle() throws -> Session {
        let session = try open(["--at", corpus.middle.id], hasIndex ? .indexed : .empty)
        try session.wait(for: "message in the middle", within: 120) { $0.contains(corpus.middle.word) }
        try session.settle()
        return session
    }

    /// Runs any other command of kedge to its end. Finding nothing is a result, too.
    func run(_ arguments: [String], _ cache: Cache, within limit: Double = 120) throws -> Run {
        try prepare(cache)
        let command = [settings.kedge] + arguments + ["--archive", corpus.archive]
        let run = try Run(Command(command, environment(cache)), within: limit)
        guard run.status <= 1 else { throw Failure("kedge \(arguments.joined(separator: " ")): status \(run.status)") }
        return run
    }

    private func prepare(_ cache: Cache) throws {
        try? FileManager.default.removeItem(atPath: home + "/state")
        switch cache {
        case .empty: try? FileManager.default.removeItem(atPath: home + "/cache-empty")
        case .rebuilt: break
        case .indexed:
            guard hasIndex else { throw Failure(Bench.noIndex) }
            guard isIndexed.insert(corpus.archive).inserted else { return }
            let command = Command([settings.kedge, "index", "--archive", corpus.archive], environment(.indexed))
            let run = try Run(command, within: 1_800)
            guard run.status == 0 else { throw Failure("`kedge index` has failed with status \(run.status)") }
        }
    }
}

// MARK: - Measuring

extension Bench {
    /// Runs it several times, or once if it takes more than ten seconds. Never measures the same twice in this process.
    func samples(_ name: String, _ body: () throws -> Double) throws -> Samples {
        if let known = figures[name] { return known }
        var values: [Double] = []
        repeat { values.append(try body()) } while values.count < settings.runs && values[0] <= 10
        let samples = Samples(values)
        figures[name] = samples
        return samples
    }

    /// Measures all of them in turns, so that other load on the machine slows all of them alike.
    func race(_ programs: [(name: String, program: FirstBytes)], in table: inout Table) throws {
        // A run takes a few milliseconds, so there is time for many.
        let runs = settings.runs * 10
        var times = programs.map { _ in [Double]() }
        var processor = times
        for _ in 0..<runs {
            for (index, entry) in programs.enumerated() {
                try prepare(.indexed)
                let measured = try entry.program.run()
                times[index].append(measured.seconds)
                processor[index].append(measured.processor)
            }
        }
        for (index, entry) in programs.enumerated() {
            let (time, used) = (Samples(times[index]), Samples(processor[index]))
            table.add(entry.name, [time.median, time.least, time.most, used.median], count: runs)
        }
    }

    /// Measures a line of a table, or says there why that is not possible.
    func measure(_ name: String, in table: inout Table, _ body: () throws -> Double) {
        do {
            table.add(name, try samples(name, body))
        } catch {
            table.skip(name, "\(error)")
        }
    }
}
