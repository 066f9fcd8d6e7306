package import Dates
package import Formats
package import Messages

package import Archive

/// Reads an export whole and keeps nothing but what was not understood.
package struct ExportCheck {
    /// How much was read.
    package struct Summary: Sendable {
        package var format = ""
        package var conversations = 0
        package var records = 0
        /// Counts of problems by their kind.
        package var problems: [String: Int] = [:]
    }

    private let path: String
    private let files: MirrorFiles
    private let zone: Zone
    private let options: ReadingOptions

    /// - Parameters:
    ///   - path: the canonical path of the export.
    ///   - index: its folder in the cache, where a zip is unpacked for the time being.
    ///   - options: how the user says that the export is to be read.
    package init(path: String, index: IndexFolder, zone: Zone, options: ReadingOptions = ReadingOptions()) {
        self.path = path
        self.zone = zone
        self.options = options
        files = MirrorFiles(root: index.path + "/check")
    }

    /// - Parameters:
    ///   - progress: called with bytes of the source.
    ///   - onProblem: called with each problem as it is found.
    /// - Throws: as `Export.open`.
    package func run(
        progress: (_ done: Int64, _ total: Int64) -> Void, onProblem: (ForeignProblem) -> Void
    ) throws(StoreError) -> Summary {
        defer { MirrorFiles.remove(files.root) }
        var problems: [ForeignProblem] = []
        let listed = try DiskSource.source(at: path, &problems) { Recognizer.knows($0, among: Formats.all) }
        let source = try Unpacked.source(listed, at: path, files: files, &problems)
        let planner = MirrorPlanner(path: path, files: files, zone: zone, formats: Formats.all, options: options)
        let plan = try planner.plan(source, listing: 0, problems)
        var summary = Summary(format: plan.format.name, conversations: plan.archive.conversations.count)
        func note(_ problem: ForeignProblem) {
            summary.problems[problem.kind, default: 0] += 1
            onProblem(problem)
        }
        plan.archive.problems.forEach(note)
        let feeds = plan.archive.conversations.flatMap { conversation in conversation.feeds.map { ($0, conversation) } }
        let total = feeds.reduce(Int64(0)) { $0 + Self.size($1.0, in: source) }
        var done: Int64 = 0
        for (feed, conversation) in feeds {
            guard let file = source.file(feed.file) else { continue }
            let converter = plan.format.converter(
                for: feed, of: conversation, names: plan.names, state: nil, zone: zone)
            var writer = RecordWriter()
            var reader = FeedReader(source, file, from: feed.start, by: converter)
            var goesOn = true
            while goesOn {
                do throws(SourceError) {
                    goesOn = try reader.step(to: feed.end ?? file.size, isWhole: true, into: &writer)
                } catch {
                    note(error.problem)
                    goesOn = false
                }
                _ = writer.take()
                progress(done + reader.position - feed.start, total)
            }
            summary.records += writer.count
            writer.takeFindings().problems.forEach(note)
            done += Self.size(feed, in: source)
        }
        return summary
    }

    private static func size(_ feed: Feed, in source: Source) -> Int64 {
        max(0, (feed.end ?? source.file(feed.file)?.size ?? 0) - feed.start)
    }
}
