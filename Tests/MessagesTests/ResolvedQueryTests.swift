import Messages
import Search
import Testing

/// Dates of queries, and messages that are compared with whole queries.
struct ResolvedQueryTests {
    /// A Monday.
    private static let now = "2025-03-10T12:00:00Z"

    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(iso8601: text)) }

    private func resolved(_ text: String, isTyping: Bool = false) throws -> ResolvedQuery {
        ResolvedQuery(Query(text, isTyping: isTyping), zone: .utc, now: try moment(Self.now))
    }

    @Test(
        arguments: [
            ("since:2025-03-08", "2025-03-08T00:00:00Z", nil), ("until:2025-03-08", nil, "2025-03-09T00:00:00Z"),
            ("after:2025-03-08", "2025-03-09T00:00:00Z", nil), ("before:2025-03-08", nil, "2025-03-08T00:00:00Z"),
            ("on:2025-03-08", "2025-03-08T00:00:00Z", "2025-03-09T00:00:00Z"),
            ("during:2025-02", "2025-02-01T00:00:00Z", "2025-03-01T00:00:00Z"),
            ("-since:2025-03-08", nil, "2025-03-08T00:00:00Z"), ("-until:2025-03-08", "2025-03-09T00:00:00Z", nil),
            ("-after:2025-03-08", nil, "2025-03-09T00:00:00Z"), ("-before:2025-03-08", "2025-03-08T00:00:00Z", nil),
            ("since:yesterday", "2025-03-09T00:00:00Z", nil), ("since:\"3 weeks ago\"", "2025-02-17T00:00:00Z", nil),
            ("since:2025", "2025-01-01T00:00:00Z", nil), ("since:2025-03-08T09:30Z", "2025-03-08T09:30:00Z", nil),
            ("after:12:30", "2025-03-10T12:31:00Z", nil), ("before:2h", nil, "2025-03-10T10:00:00Z"),
            ("since:2025-03-01 since:2025-03-05", "2025-03-05T00:00:00Z", nil),
            ("until:2025-03-01 before:2025-02-01", nil, "2025-02-01T00:00:00Z"),
            ("since:2025-03-05 until:banana", "2025-03-05T00:00:00Z", nil),
        ] as [(String, String?, String?)])
    func `A date becomes the times since and until which it lasts`(query: String, since: String?, until: String?) throws
    {
        let times = try resolved(query).times
        #expect(times.since == (try since.map(moment)))
        #expect(times.until == (try until.map(moment)))
        #expect(times.exceptions.isEmpty)
    }

    @Test func `A day can be excluded`() throws {
        let times = try resolved("-on:2025-03-08").times
        #expect(times.since == nil && times.until == nil && !times.isEmpty)
        #expect(try times.contains(moment("2025-03-07T23:59:59.999Z")))
        #expect(try !times.contains(moment("2025-03-08T00:00:00Z")))
        #expect(try !times.contains(moment("2025-03-08T23:59:59.999Z")))
        #expect(try times.contains(moment("2025-03-09T00:00:00Z")))
    }

    @Test(arguments: [
        ("since:banana", true, ["since:banana"]), ("since:", true, []), ("x SINCE:banana", false, ["since:banana"]),
        ("-during:banana", true, ["-during:banana"]), ("", true, []),
        ("since:2025 until:31.2.2024", false, ["until:31.2.2024"]),
        ("from:ana on:x", false, ["on:x"]), ("on:x before:\"31 february\"", true, ["on:x", "before:31 february"]),
    ])
    func `A date that names no time is ignored and reported`(query: String, isEmpty: Bool, unread: [String])
        throws
    {
        let query = try resolved(query)
        #expect(query.isEmpty == isEmpty)
        #expect(query.unresolved.map(\.description) == unread)
    }

    @Test func `The zone decides when a day begins`() throws {
        let query = Query("since:2025-03-08")
        let zone = Zone(secondsEast: 9 * 3_600)
        let times = ResolvedQuery(query, zone: zone, now: try moment(Self.now)).times
        #expect(times.since == (try moment("2025-03-07T15:00:00Z")))
    }

    @Test(arguments: [
        ("hello", true), ("hello -world", true), ("-hello", false), ("from:ana", true), ("from:u1", true),
        ("from:ruiz", true), ("from:rui", false), ("from:rui*", true), ("from:ben from:ana", true),
        ("-from:ana", false),
        ("-from:ben", true), ("from:ana -from:ruiz", false), ("from:@u1", true), ("is:reply", true),
        ("-is:reply", false),
        ("is:thread", false), ("-is:thread", true), ("has:file", true), ("has:attachment", true), ("-has:file", false),
        ("has:link", false), ("-has:link", true), ("on:2025-03-08", true), ("-on:2025-03-08", false),
        ("since:2025-03-09", false), ("on:2025-03-08 from:ana hello has:file is:reply", true), ("", false),
        ("-", false),
        ("since:banana", false),
    ])
    func `A message is compared with everything in the query but the conversation`(query: String, isHit: Bool) throws {
        var message = Message(
            id: MessageID("m"), at: try moment("2025-03-08T09:00:00Z"),
            sender: Person(id: PersonID("u1"), name: "Ana Ruiz"), text: "Hello",
            quote: Quote(id: MessageID("q"), content: .missing),
            attachments: [Attachment(name: "a.png", path: nil, size: nil)], cursor: Cursor(token: ""))
        #expect(try resolved(query).accepts(message) == isHit)
        message.isDeleted = true
        #expect(try !resolved(query).accepts(message))
    }

    @Test(arguments: [
        ("in:general", true), ("in:g1", true), ("IN:#General", true), ("in:gen", false), ("in:gen*", true),
        ("in:other", false), ("in:other in:general", true), ("-in:general", false), ("-in:other", true), ("x", true),
        ("in:general -in:g1", false),
    ])
    func `A conversation is named by ID or title`(query: String, isThere: Bool) throws {
        let conversation = Conversation(id: ConversationID("g1"), title: "General", topic: nil)
        #expect(try resolved(query).accepts(conversation) == isThere)
    }
}
