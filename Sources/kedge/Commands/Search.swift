import ArgumentParser
import Display
import Messages
import Search
import Terminal

import Glibc

struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find messages by their words, sender, place and time, the newest first.",
        discussion: """
            All words of the query must be in the text of a message; case and accents do not matter. "Words in quotes" \
            stand one after the other, word* is any word that begins so, and a word with a minus must not be there: -word, \
            -"a phrase", -word*. Besides words a query takes, each with a minus as well:

              from:ana         by this person: an ID, or a name or a part of it
              in:general       in this conversation: an ID or a title
              since:2024-05    of this day or time and later; until: and earlier
              after:2024-05    later than that; before: earlier; on: within it
              has:link         with a link; has:file with a file
              is:reply         a reply to another; is:thread a reply in a thread
              is:presence      joins, leaves and the like, which nothing else finds

            Of several people or conversations any will do. What holds blanks wants quotes (from:"Ana Ruiz", \
            since:"3 weeks ago"), and the shell wants others around those. The options below narrow the query further.

              kedge search seamless mode -virtualbox
              kedge search '"seamless mode" in:ubuntu -from:"Ana Ruiz"'
              kedge search from:ana has:link since:yesterday
              kedge search deploy --from ana --since 2025-03-01 --until 2025-03-31
              kedge open "$(kedge search deploy | fzf | cut -f1)"

            One message a line, separated by tabs: link, time, sender, text. Lines come as they are found. Exit status 1 \
            when nothing is found, 3 when a conversation could not be read, even if others had hits.
            """)

    @OptionGroup var options: ArchiveOptions

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("What to look for; a word with a minus must not be there.", valueName: "query"))
    var words: [String]

    @Option(name: .customLong("in"), help: ArgumentHelp("Only in this conversation.", valueName: "conversation"))
    var conversation: String?

    @Option(help: ArgumentHelp("Only by this person: an ID, or a name or a part of it.", valueName: "person"))
    var from: String?

    @Option(help: ArgumentHelp("Only of this day or time and later.", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("Only of this day or time and earlier.", valueName: "date"))
    var until: String?

    @Option(help: ArgumentHelp("Print at most this many messages, the newest.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var raw: RawOption

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes 1 or more") }
        // A word with one minus must not be in the text. A word with two is an option, unless it stands after a bare `--`.
        if let unknown = words.prefix(while: { $0 != "--" }).first(where: { $0.hasPrefix("--") }) {
            throw ValidationError("Unknown option '\(unknown.shortened)'")
        }
    }

    func run() throws {
        var request = try self.request()
        try raw.check()
        let opened = try options.opened(me: try PersonOptions.identifyByConfig(in: options).identity)
        let store = opened.store
        request.conversation = request.conversation.map {
            opened.resolved(Link(conversation: $0, message: nil)).conversation
        }
        if let id = request.conversation {
            _ = try waiting { () async throws(StoreError) in try await store.conversation(id) }
        }
        try checkConversations(of: request.query.query, in: store)
        var printer = HitPrinter(query: request.query.query, isJSON: json, isRaw: raw.isOn)
        let failures = try print(store.search(request), by: &printer)
        try warn(of: store)
        for failure in failures.dropLast() { Output.complain(failure.description) }
        if let failure = failures.last { throw failure }
        if printer.count == 0 { throw try nothingFound(request, in: store) }
    }

    private func request() throws -> SearchRequest {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let text = (words[..<end] + words[end...].dropFirst()).joined(separator: " ")
        let query = ResolvedQuery(Query(text), zone: .local, now: .now)
        if let excess = query.query.excess { throw Failure(.usage, "\(excess); leave some of it out") }
        if let date = query.unresolved.first {
            throw Failure(.usage, "\(date): no day or time; write \(NamedTime.examples) after the colon")
        }
        guard !query.isEmpty else { throw Failure(.usage, "\"\(text.shortened)\" holds no word to search for") }
        var request = SearchRequest(query, from: from, limit: limit)
        request.conversation = conversation.map { Link($0).conversation }
        request.since = try since.map { try NamedTime(argument: $0).start }
        request.until = try until.map { try NamedTime(argument: $0).end }
        return request
    }

    /// Prints batch by batch as they come.
    /// - Returns: the errors of conversations that could not be searched.
    private func print(
        _ batches: AsyncStream<Result<SearchBatch, StoreError>>, by printer: inout HitPrinter
    ) throws -> [StoreError] {
        var failures: [StoreError] = []
        while true {
            let batch = try waiting { () async throws(StoreError) in
                // All iterators of a stream share one position.
                var iterator = batches.makeAsyncIterator()
                return await iterator.next()
            }
            switch batch {
            case .success(let batch): try printer.print(batch.hits)
            case .failure(let error): failures.append(error)
            case nil:
                try printer.finish()
                return failures
            }
        }
    }

    /// A conversation that does not exist is an error, as it is after `--in`.
    private func checkConversations(of query: Query, in store: any ConversationListing) throws {
        guard !query.filters.conversations.isEmpty else { return }
        let known = try waiting { () async throws(StoreError) in try await store.conversations() }
        let found = Set(known.flatMap(query.conversations.indices(matching:)))
        for (index, name) in query.conversations.names.enumerated() where !found.contains(index) {
            // When there is no such ID either, the error names the nearest conversations.
            _ = try waiting { () async throws(StoreError) in
                try await store.conversation(ConversationID(name.text.trimmingPrefix("#").description))
            }
        }
    }

    private func nothingFound(_ request: SearchRequest, in store: any MessageSearching) throws -> Failure {
        let query = request.query.text
        let text = "nothing found for \(query.shortened)"
        // A part of a name need not be the whole name of anybody.
        let named = request.query.query.filters.senders.filter { !$0.isPrefix }.map(\.text)
        // To know whether a name occurs may take a look at every message.
        for name in ((from.map { [$0] } ?? []) + named).prefix(8) {
            let isKnown = try waiting { () async throws(StoreError) in await store.knows(sender: name) }
            if !isKnown { return Failure(.nothingFound, "\(text): nobody here is called \"\(name.shortened)\"") }
        }
        return Failure(.nothingFound, from.map { "\(text) from \"\($0.shortened)\"" } ?? text)
    }
}
