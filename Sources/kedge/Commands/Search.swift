import ArgumentParser
import Display
import Messages
import Search
import Terminal

import Glibc
import Usage

struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find messages by words, sender, conversation and time, newest first.",
        discussion: """
            All words of the query must be in the text of a message; case and accents do not matter. "Words in quotes" \
            match words in a row, word* matches any word that begins so, and words with a minus must not be there: -word, \
            -"a phrase", -word*. A query may also have the following, each with or without a minus:

              /v[0-9]+\\.[0-9]/  a regular expression, between slashes
              from:ana         by this person: an ID, or a name or a part of it
              from:me          by you
              in:general       in this conversation: an ID or a title
              since:2024-05    from this day or time on; until: up to and including it
              after:2024-05    after it; before: before it; on: within it
              has:link         with a link; has:file with a file
              is:reply         a reply to a message; is:thread a reply in a thread
              is:presence      joins, leaves and the like, found only with this

            Of several people or conversations, any one may match. Values with blanks need quotes (from:"Ana Ruiz", \
            since:"3 weeks ago"), and the shell needs another pair around those. A word in quotes is \
            no filter ("from:ana"). The options below narrow the query further.

              kedge search seamless mode -virtualbox
              kedge search '"seamless mode" in:ubuntu -from:"Ana Ruiz"'
              kedge search from:ana has:link since:yesterday
              kedge search deploy --from ana --since 2025-03-01 --until 2025-03-31
              kedge open "$(kedge search deploy | fzf | cut -f1)"

            One message a line, separated by tabs: link, time, sender, text. Lines are printed as they are found. Exit status 1 \
            if nothing is found, 3 if a conversation could not be read, even if others had hits.
            """)

    @OptionGroup var options: ArchiveOptions

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The words to look for; those with a minus must not be there.", valueName: "query"))
    var words: [String]

    @Option(name: .customLong("in"), help: ArgumentHelp("Only in this conversation.", valueName: "conversation"))
    var conversation: String?

    @Option(help: ArgumentHelp("Only by this person: an ID, or a name or a part of it.", valueName: "person"))
    var from: String?

    @Option(help: ArgumentHelp("Only messages from this day or time on.", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("Only messages up to and including this day or time.", valueName: "date"))
    var until: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Print at most this many messages.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print only the number of messages.")
    var count = false

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var raw: RawOption

    func validate() throws {
        if count && json { throw ValidationError("use --count or --json, not both") }
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1") }
        // A word with one minus must not be in the text. A word with two is an option, unless it stands after a bare `--`.
        // A single letter is meant as an option of grep or of head more often than as a word.
        let words = words.prefix { $0 != "--" }
        if let unknown = words.first(where: { $0.hasPrefix("--") }) {
            let names = CommandHelp(Search.self).options.flatMap(\.names).filter { $0.hasPrefix("--") }
            let near = Spelling.nearest(to: unknown, among: names)
            let advice = near.map { "; did you mean \($0)?" } ?? ""
            throw ValidationError("there is no option \(unknown.shortened)\(advice)")
        }
        if let letter = words.first(where: { $0.hasPrefix("-") && $0.count == 2 }) {
            throw ValidationError("there is no option \(letter); to leave out that word, write it after --")
        }
    }

    mutating func run() throws {
        var request = try self.request()
        try raw.check()
        let opened = try options.opened(me: try PersonOptions.identifyByConfig(in: options).identity)
        let store = opened.store
        // The words were read before, so that a mistake in them is reported without an archive. Only now `me` is known.
        request.query = try query(me: store.me)
        request.sender = sender(me: store.me)
        request.conversation = try request.conversation.map {
            try opened.conversation(of: Link(conversation: $0, message: nil)).link.conversation
        }
        try checkConversations(of: request.query.query, in: store)
        var printer = HitPrinter(
            query: request.query.query, format: count ? .count : json ? .json : .rows, isRaw: raw.isOn)
        let failures = try print(store.search(request), by: &printer)
        let skipped = try complain(of: store, in: try searched(by: request, in: store))
        for failure in failures.dropLast() { Output.complain(failure.description) }
        if let failure = failures.last { throw failure }
        if let skipped { throw skipped }
        if printer.count == 0 { throw try nothingFound(request, in: store, me: store.me) }
        if let advice = request.query.advice(findsNothing: false) {
            Output.complain("\"-\(advice.text.shortened)\" leaves out these words; \(advice.description.shortened)")
        }
    }

    /// The query of the command line.
    /// - Parameter me: the user, for `from:me`; nil if it is not known, or not yet.
    private func query(me: PersonID?) throws -> ResolvedQuery {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let text = (words[..<end] + words[end...].dropFirst()).joined(separator: " ")
        let query = ResolvedQuery(Query(text, me: me?.rawValue), zone: .local, now: .now)
        if let fault = query.query.fault { throw CommandError(.usage, fault.description) }
        if let date = query.unresolved.first {
            throw CommandError(.usage, "\(date): not a date; write \(NamedTime.examples) after the colon")
        }
        guard !query.isEmpty else { throw CommandError(.usage, "\"\(text.shortened)\" has no word to search for") }
        return query
    }

    private func sender(me: PersonID?) -> QueryName? { from.map { QueryName.sender($0, me: me?.rawValue) } }

    private mutating func request() throws -> SearchRequest {
        var request = SearchRequest(try query(me: nil), from: sender(me: nil), limit: limit)
        if let conversation { request.conversation = try options.resolve(conversation).conversation }
        request.since = try since.map { try NamedTime(argument: $0).start }
        request.until = try until.map { try NamedTime(argument: $0).end }
        try check(request.times)
        return request
    }

    /// - Throws: when no message can have such a time.
    private func check(_ times: QueryTimes) throws(CommandError) {
        guard let first = times.since, let end = times.until, first >= end else { return }
        // `until` is the moment after the last one that counts.
        let last = Timestamp(milliseconds: end.milliseconds - 1)
        let (from, to) = (Zone.local.minute(first), Zone.local.minute(last))
        guard let since, let until else {
            throw CommandError(.usage, "the search begins \(from) and ends \(to), which is earlier; swap the dates")
        }
        throw CommandError(
            .usage,
            "--since \(since.shortened) (\(from)) is later than --until \(until.shortened) (\(to)); swap the dates")
    }

    /// Prints each batch as it comes.
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

    /// A conversation that does not exist is an error, as for `--in`.
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

    /// The conversations that were searched.
    private func searched(by request: SearchRequest, in store: any ConversationListing) throws -> [ConversationID] {
        if let conversation = request.conversation { return [conversation] }
        let all = try? waiting { () async throws(StoreError) in try await store.conversations() }
        return (all ?? []).map(\.id)
    }

    private func nothingFound(
        _ request: SearchRequest, in store: any MessageSearching, me: PersonID?
    ) throws -> CommandError {
        let query = request.query.text
        if let advice = request.query.advice(findsNothing: true) {
            return CommandError(.nothingFound, "nothing found for \(query.shortened); \(advice.description.shortened)")
        }
        let text = "nothing found for \(query.shortened)"
        // A part of a name need not be the whole name of anybody.
        let named = [request.sender].compactMap(\.self) + request.query.query.filters.senders.filter { !$0.isPrefix }
        // To know whether a name occurs may take a look at every message.
        for name in named.map(\.text).prefix(8) {
            if name == "me", me == nil {
                return CommandError(
                    .nothingFound, "\(text): Kedge doesn't know who you are; set me = \"ID\" in config.toml")
            }
            let isKnown = try waiting { () async throws(StoreError) in await store.knows(sender: name) }
            if !isKnown { return CommandError(.nothingFound, "\(text): nobody here is called \"\(name.shortened)\"") }
        }
        return CommandError(.nothingFound, from.map { "\(text) from \"\($0.shortened)\"" } ?? text)
    }
}
