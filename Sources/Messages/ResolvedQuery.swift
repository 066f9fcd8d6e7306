package import Search

/// The times that a query accepts.
package struct QueryTimes: Hashable, Sendable {
    /// The first accepted moment; nil if there is none.
    package private(set) var since: Timestamp?
    /// The first moment after the accepted ones; nil if there is none.
    package private(set) var until: Timestamp?
    /// Spans that are excluded.
    package private(set) var exceptions: [Range<Timestamp>] = []

    package init(since: Timestamp? = nil, until: Timestamp? = nil) { (self.since, self.until) = (since, until) }

    /// True if every time is accepted.
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

/// A query whose dates are resolved to moments.
package struct ResolvedQuery: Hashable, Sendable {
    package let query: Query
    package let times: QueryTimes
    /// The dates that are not times, or not yet while the user is typing. They are ignored.
    package let unresolved: [QueryDate]

    /// Resolves the dates at this moment and in this zone.
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

    /// Replaces the query's dates by other times.
    package init(_ query: Query, times: QueryTimes = QueryTimes()) {
        (self.query, self.times, unresolved) = (query, times, [])
    }

    package var text: String { query.text }

    /// A hint about words that look like a mistyped filter. If there are hits, the words were probably meant as words, so there
    /// is no hint. Excluded words always get one, since hits prove nothing about them.
    /// - Parameter findsNothing: true if the search is complete and has no hits.
    package func advice(findsNothing: Bool) -> MistypedFilter? {
        query.mistyped.first { findsNothing || $0.isExcluded }
    }

    /// True if the query is empty. An empty query finds nothing.
    package var isEmpty: Bool { query.isEmptyButForDates && times.isEmpty }

    /// True if a message in its current form is a hit. Ignores its conversation.
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

    /// True if messages of a conversation can be hits.
    package func accepts(_ conversation: Conversation) -> Bool {
        (query.conversations.isEmpty || query.conversations.name(conversation))
            && !query.excludedConversations.name(conversation)
    }
}

extension QueryName {
    /// True if this is a person's ID, or words of the person's name.
    package func names(_ person: Person) -> Bool { isID(person.id.rawValue.utf8) || isPart(of: person.name) }

    /// True if this is the ID or the whole title of a conversation.
    package func names(_ conversation: Conversation) -> Bool {
        isWhole(conversation.id.rawValue) || isWhole(conversation.title)
    }
}

extension QueryNames {
    /// True if one of these is a person's ID, or words of the person's name.
    package func name(_ person: Person) -> Bool {
        !isEmpty && (areID(person.id.rawValue.utf8) || arePart(of: person.name))
    }

    /// True if one of these is the ID or the whole title of a conversation.
    package func name(_ conversation: Conversation) -> Bool { !isEmpty && !indices(matching: conversation).isEmpty }

    /// The indices of the names that are the ID or the whole title of a conversation.
    package func indices(matching conversation: Conversation) -> [Int] {
        whole(conversation.id.rawValue) + whole(conversation.title)
    }
}

extension Message {
    /// The required marks, except for those that depend on the text.
    fileprivate var marks: QueryMarks {
        var marks: QueryMarks = []
        if !attachments.isEmpty { marks.insert(.file) }
        if quote != nil { marks.insert(.reply) }
        if thread != nil { marks.insert(.thread) }
        if presence != nil { marks.insert(.presence) }
        return marks
    }
}
