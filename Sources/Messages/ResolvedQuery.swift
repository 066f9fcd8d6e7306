package import Search

/// The times at which a message must have been written.
package struct QueryTimes: Hashable, Sendable {
    /// From this moment on.
    package private(set) var since: Timestamp?
    /// Before this moment.
    package private(set) var until: Timestamp?
    /// Except within these spans.
    package private(set) var exceptions: [Range<Timestamp>] = []

    package init(since: Timestamp? = nil, until: Timestamp? = nil) { (self.since, self.until) = (since, until) }

    /// Whether every time is accepted.
    package var isEmpty: Bool { since == nil && until == nil && exceptions.isEmpty }

    package func contains(_ moment: Timestamp) -> Bool {
        if let since, moment < since { return false }
        if let until, moment >= until { return false }
        return !exceptions.contains { $0.contains(moment) }
    }

    package func intersected(since: Timestamp?, until: Timestamp?) -> QueryTimes {
        var times = self
        if let since { times.since = times.since.map { max($0, since) } ?? since }
        if let until { times.until = times.until.map { min($0, until) } ?? until }
        return times
    }

    fileprivate mutating func take(_ date: QueryDate, as time: NamedTime) {
        switch (date.relation, date.isExcluded) {
        case (.since, false), (.before, true): self = intersected(since: time.start, until: nil)
        case (.until, false), (.after, true): self = intersected(since: nil, until: time.end)
        case (.after, false), (.until, true): self = intersected(since: time.end, until: nil)
        case (.before, false), (.since, true): self = intersected(since: nil, until: time.start)
        case (.on, false): self = intersected(since: time.start, until: time.end)
        case (.on, true): if time.start < time.end { exceptions.append(time.start..<time.end) }
        }
    }
}

/// A query whose dates have become moments.
package struct ResolvedQuery: Hashable, Sendable {
    package let query: Query
    package let times: QueryTimes
    /// The dates that do not name a time, or not yet while somebody types. They are ignored.
    package let unresolved: [QueryDate]

    /// Reads the dates by this moment and this zone.
    package init(_ query: Query, zone: Zone, now: Timestamp) {
        var times = QueryTimes()
        var unresolved: [QueryDate] = []
        for date in query.filters.dates {
            if let time = zone.time(named: date.text, now: now) {
                times.take(date, as: time)
            } else {
                unresolved.append(date)
            }
        }
        (self.query, self.times, self.unresolved) = (query, times, unresolved)
    }

    /// Replaces the dates of a query by other times.
    package init(_ query: Query, times: QueryTimes = QueryTimes()) {
        (self.query, self.times, unresolved) = (query, times, [])
    }

    package var text: String { query.text }

    /// A hint about words that look like a mistyped filter. A search with hits shows that they were meant as words, and needs none.
    /// Excluded words always get it, since no hit shows how they were meant.
    /// - Parameter findsNothing: whether the search is complete, without a hit.
    package func advice(findsNothing: Bool) -> MistypedFilter? {
        query.mistyped.first { findsNothing || $0.isExcluded }
    }

    /// Whether the query is empty. An empty query finds nothing.
    package var isEmpty: Bool { query.isEmptyButForDates && times.isEmpty }

    /// Whether a message in its current form is a hit, in any conversation.
    package func accepts(_ message: Message) -> Bool {
        guard !isEmpty, !message.isDeleted, times.contains(message.at) else { return false }
        let filters = query.filters
        guard message.presence == nil || filters.marks.contains(.presence) else { return false }
        let isBy = { (names: QueryNames) in message.sender.map(names.name) ?? false }
        guard query.senders.isEmpty || isBy(query.senders), !isBy(query.excludedSenders),
            filters.marks.subtracting(.link).isSubset(of: message.marks),
            filters.excludedMarks.isDisjoint(with: message.marks)
        else { return false }
        return !query.dependsOnText || query.matches(message.text)
    }

    /// Whether messages of a conversation can be hits.
    package func accepts(_ conversation: Conversation) -> Bool {
        (query.conversations.isEmpty || query.conversations.name(conversation))
            && !query.excludedConversations.name(conversation)
    }
}

extension QueryName {
    /// Whether this is the ID of a person, or words of the name.
    package func names(_ person: Person) -> Bool { isID(person.id.rawValue.utf8) || isPart(of: person.name) }

    /// Whether this is the ID or the whole title of a conversation.
    package func names(_ conversation: Conversation) -> Bool {
        isWhole(conversation.id.rawValue) || isWhole(conversation.title)
    }
}

extension QueryNames {
    /// Whether any of these is the ID of a person, or words of the name.
    package func name(_ person: Person) -> Bool {
        !isEmpty && (areID(person.id.rawValue.utf8) || arePart(of: person.name))
    }

    /// Whether any of these is the ID or the whole title of a conversation.
    package func name(_ conversation: Conversation) -> Bool { !isEmpty && !indices(matching: conversation).isEmpty }

    /// The indices of those that are the ID or the whole title of a conversation.
    package func indices(matching conversation: Conversation) -> [Int] {
        whole(conversation.id.rawValue) + whole(conversation.title)
    }
}

extension Message {
    /// All marks except those that depend on the text.
    fileprivate var marks: QueryMarks {
        var marks: QueryMarks = []
        if !attachments.isEmpty { marks.insert(.file) }
        if quote != nil { marks.insert(.reply) }
        if thread != nil { marks.insert(.thread) }
        if presence != nil { marks.insert(.presence) }
        return marks
    }
}
