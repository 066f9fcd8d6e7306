internal import ArchiveFormat
package import Files
package import Formats
internal import Glibc
package import Helper
internal import JSON
package import Matrix

/// The archive of an account: a native archive whose rooms this process alone writes. Use it on one thread only.
package final class AccountArchive {
    /// With more new rooms than this, the disk is synced once, and not for each of them.
    private static let fewRooms = 8

    private struct Room {
        let conversation: String
        var facts: RoomFacts
        /// Nil before it is first needed.
        var log: RoomLog?
    }

    package let path: String
    package let me: String
    /// True if messages of encrypted rooms can be read and sent.
    private let isReadable: Bool
    /// Turns events into records, with the names of people.
    package private(set) var events = MatrixEvents { _, _ in nil }
    let state: SyncState
    private var rooms: [String: Room] = [:]
    var list: RoomList
    private var conversations: Set<String> = []
    private var people: SyncedPeople
    /// The names that people have got in single rooms, until they are in the file of people.
    private var renamed: [String: Set<String>] = [:]
    /// Polls among older events, until their votes are written.
    private var foundPolls: [String: MatrixPoll.Answers] = [:]
    private var owed: OwedRooms
    /// Reasons why single rooms are not read or written: one line each, for people.
    private var troubles: [String] = []
    private var told: Set<String> = []

    /// Opens the archive of an account, and makes it if there is none.
    /// - Parameter isReadable: true if messages of encrypted rooms can be read and sent.
    package init(path: String, me: String, isReadable: Bool = false) throws(FileError) {
        (self.path, self.me, self.isReadable) = (path, me, isReadable)
        try AccountArchive.makeFolders(path)
        state = SyncState(folder: path + "/matrix")
        let paths = ArchivePaths(path)
        people = try SyncedPeople(path: paths.people)
        list = try RoomList(paths)
        owed = try OwedRooms(folder: path + "/matrix")
        if !Disk.exists(paths.label) {
            try people.write()
            let label = ArchiveLabel(name: me, me: me, server: "matrix")
            try DiskFile.replace(paths.label, with: [label.json.line])
        }
        let outdated = try findRooms()
        events = MatrixEvents { [weak self] room, id in self?.log(ofKnown: room)?.reaction(id) }
        events.recallAnswers = { [weak self] room, poll in self?.log(ofKnown: room)?.answers(of: poll) }
        events.foundPoll = { [weak self] poll, answers in self?.foundPolls[poll] = answers }
        events.recallVotes = { [weak self] room, poll, person in self?.log(ofKnown: room)?.votes(of: person, on: poll) }
        events.recallText = { [weak self] room, edit in self?.log(ofKnown: room)?.text(without: edit) }
        for (id, name) in people.names { events.names.setEverywhere(id, name) }
        for (id, room) in rooms { events.names.set(own: room.facts.names, in: id) }
        for (id, room) in owed.rooms { events.names.set(own: room.facts.names, in: id) }
        events.isNamed = { [weak self] room, person in self?.rooms[room]?.facts.members.contains(person) == true }
        // A room can be read without its link or mark: a file that cannot be written now is left for the next start.
        for room in outdated { try? write(room.facts, of: room.conversation) }
    }

    /// Makes the folders of an archive that are not there yet.
    package static func makeFolders(_ path: String) throws(FileError) {
        for folder in [path, ArchivePaths(path).conversations, path + "/matrix"] {
            try Disk.makeFolder(folder, isPrivate: false)
        }
    }

    /// Reads the files of all rooms.
    /// - Returns: the rooms whose files are to be written again: damaged ones, and those of an older version (without a link) or of
    ///   the other kind of session (which can, or cannot, read encrypted rooms).
    private func findRooms() throws(FileError) -> [Room] {
        var outdated: [Room] = []
        for name in try DiskFile.names(in: ArchivePaths(path).conversations).sorted() {
            // A killed process has not finished this room. The journal still has it.
            let folder = folder(of: name)
            if name.hasPrefix(".new-"), (try? Disk.existing(folder))?.isFolder == true { Disk.remove(folder) }
            guard !name.hasPrefix(".") else { continue }
            conversations.insert(name)
            var file: [UInt8]?
            let isRead = try attempt { () throws(FileError) in
                file = try DiskFile.read(ArchivePaths.description(in: folder))
            }
            guard isRead else { continue }
            guard let facts = (file ?? []).withUnsafeBytes({ RoomFacts(file: $0) }) else {
                if let room = recover(name, file ?? []) { outdated.append(room) }
                continue
            }
            guard let file else { continue }
            let room = Room(conversation: name, facts: facts)
            if rooms[facts.room] == nil { rooms[facts.room] = room }
            // Finds keys only: in a text, the quotes would be escaped.
            func has(_ key: String) -> Bool { file.withUnsafeBytes { $0.offset(of: "\"\(key)\":", from: 0) } != nil }
            if !has("link") || has(ConversationFile.closed) != (facts.isEncrypted && !isReadable) {
                outdated.append(room)
            }
        }
        return outdated
    }

    /// Reports that the file of a room is damaged. If it still names the room, the room keeps its conversation: a new file replaces
    /// the old one, which is renamed, and other facts come with the next changes of the room.
    private func recover(_ conversation: String, _ file: [UInt8]) -> Room? {
        let path = ArchivePaths.description(in: folder(of: conversation))
        guard (try? DiskFile.names(in: folder(of: conversation)).contains { SegmentName(file: $0) != nil }) == true
        else {
            return nil
        }
        guard let facts = file.withUnsafeBytes({ RoomFacts(damagedFile: $0) }), rooms[facts.room] == nil else {
            troubles.append(
                "\(path): damaged, so the room of these messages is not known; they stay here, and newer ones go into "
                    + "another conversation: restore the file from a backup, and start kedge-matrix again")
            return nil
        }
        let room = Room(conversation: conversation, facts: facts)
        rooms[facts.room] = room
        let isKept = (try? Disk.rename(path, to: path + ".damaged")) != nil
        let kept = isKept ? "; the old file is conversation.json.damaged" : ""
        troubles.append("\(path): damaged; Kedge restored what could be read\(kept)")
        return room
    }

    private func folder(of conversation: String) -> String { ArchivePaths(path).folder(of: conversation) }

    /// Turns the events of a room into records, with the names that people have there.
    func events(in room: String) -> MatrixEvents {
        events.room = room
        return events
    }

    /// The IDs of all rooms.
    package var roomIDs: [String] { rooms.keys.sorted() }

    /// The facts about a room; nil for a new one.
    package func facts(_ room: String) -> RoomFacts? {
        owed.rooms[room]?.facts ?? rooms[room]?.facts ?? list.spaces[room]
    }

    /// The ID of the room of a conversation; nil without one.
    package func room(of conversation: String) -> String? {
        rooms.first { $0.value.conversation.utf8.elementsEqual(conversation.utf8) }?.key
    }

    /// The ID of the conversation of a room.
    package func conversation(of room: String) -> String? { rooms[room]?.conversation }

    private func log(of room: String) throws(FileError) -> RoomLog? {
        guard let known = rooms[room] else { return nil }
        if let log = known.log { return log }
        let log = try RoomLog(folder(of: known.conversation))
        rooms[room]?.log = log
        return log
    }

    /// The log of a room; nil if the room is not known, or its folder cannot be read.
    func log(ofKnown room: String) -> RoomLog? { (try? log(of: room)) ?? nil }

    /// The ID of the room of a conversation, without opening the archive, which another process may be writing.
    package static func room(of conversation: String, inArchive path: String) -> String? {
        guard !conversation.hasPrefix("."), !conversation.contains("/"),
            let file = try? DiskFile.read(ArchivePaths(path).description(of: conversation))
        else { return nil }
        return file.withUnsafeBytes { RoomFacts(file: $0)?.room }
    }

    // MARK: - Responses to /sync

    /// Writes the events of a response into the logs.
    /// - Parameters:
    ///   - since: the token that the response follows.
    ///   - isReplay: true if an earlier process may have written a part of it.
    package func apply(_ response: SyncResponse, since: String?, isReplay: Bool) throws(FileError) {
        _ = try settle(upTo: since)
        try take(response.people, response.rooms)
        // Spaces hold rooms, and hardly any messages.
        let news = response.rooms.filter { !$0.facts.isSpace }
        let new = Set(news.map(\.room)).filter { rooms[$0] == nil }
        // A room that still cannot be written stays owed. It comes back with a gap for all that is missing by then.
        for news in news where owed.rooms[news.room] != nil { try owed.add(news.facts, since: since) }
        let ready = news.filter { owed.rooms[$0.room] == nil }
        try make(ready.filter { new.contains($0.room) }, since: since)
        for news in ready where !new.contains(news.room) {
            try attempt(news.facts, since: since) { () throws(FileError) in
                guard let room = rooms[news.room], let log = try log(of: news.room) else { return }
                // While this account was not in the room, the server sent nothing: the gap ends where the room was left.
                let since = room.facts.hasLeft && !news.facts.hasLeft ? nil : since
                try take(news.facts, of: room)
                try append(news, to: log, since: since, isReplay: isReplay)
            }
        }
        try takeOwnNames()
        // The first response has all spaces and invitations.
        try list.take(response, isWhole: since == nil, rooms.values.map { ($0.facts, $0.conversation) })
    }

    /// Applies a response to the rooms that are here, and to spaces and invitations, but none of its events.
    func take(relations response: SyncResponse) throws(FileError) {
        for news in response.rooms {
            guard let room = rooms[news.room] else { continue }
            try attempt(news.facts, since: try state.token()) { () throws(FileError) in
                try take(news.facts, of: room)
            }
        }
        try list.take(response, isWhole: true, rooms.values.map { ($0.facts, $0.conversation) })
    }

    private func take(_ facts: RoomFacts, of room: Room) throws(FileError) {
        guard facts != room.facts else { return }
        try write(facts, of: room.conversation)
        note(facts.names, before: room.facts.names)
        rooms[facts.room]?.facts = facts
        if facts.isListed(differentlyFrom: room.facts) { list.changes += 1 }
    }

    /// Makes the rooms of a first look. Those that are here already were made by an earlier process in the same look.
    func take(firstLook page: SyncResponse) throws(FileError) {
        try take(page.people, page.rooms)
        try make(page.rooms.filter { !$0.facts.isSpace && rooms[$0.room] == nil }, since: nil)
        try takeOwnNames()
    }

    // MARK: - Rooms that cannot be written

    /// Returns the reasons why single rooms are not read or written, as far as they are not reported yet.
    func takeTroubles() -> [String] {
        defer { troubles = [] }
        return troubles
    }

    /// Runs `body`; an error that concerns one room is reported once, and the others continue.
    /// - Returns: true if it has succeeded.
    func attempt(_ body: () throws(FileError) -> Void) throws(FileError) -> Bool {
        do throws(FileError) {
            try body()
            return true
        } catch  where !error.stopsAll {
            if told.insert(error.description).inserted { troubles.append(error.description) }
            return false
        }
    }

    /// Runs `body`, which writes a room. If that fails, the events of the room after the token `since` are owed.
    private func attempt(
        _ facts: RoomFacts, since: String?, _ body: () throws(FileError) -> Void
    ) throws(FileError) {
        if try attempt(body) { return }
        rooms[facts.room]?.log = nil
        try owed.add(facts, since: since)
    }

    /// Tries once more to write the rooms that could not be written: each gets a gap in which its events are missing.
    /// - Parameter token: the token up to which the other logs hold everything; nil before the first response, which has all rooms.
    /// - Returns: the rooms that are written.
    func settle(upTo token: String?) throws(FileError) -> [String] {
        var written: [String] = []
        for (id, room) in owed.rooms.sorted(by: { $0.key < $1.key }) {
            let isWritten = try attempt { () throws(FileError) in
                // Nothing is missing, or the next response has the room whole.
                guard let token, token != room.since else { return }
                let gap = RoomNews(missingUpTo: token, room.facts)
                guard let known = rooms[id], let log = try log(of: id) else {
                    return try make([gap], since: room.since)
                }
                try take(room.facts, of: known)
                guard let name = log.segments.last.map(\.island) ?? .first else {
                    throw FileError(.write, id, .full)
                }
                try log.add(name, SegmentHead(before: .gap, from: token, to: room.since), [])
            }
            guard isWritten, token == nil || token == room.since || rooms[id] != nil else { continue }
            try owed.remove(id)
            written.append(id)
        }
        return written
    }

    private func append(
        _ news: RoomNews, to log: RoomLog, since: String?, isReplay: Bool
    ) throws(FileError) {
        guard let last = log.segments.last else {
            // A room without a segment was made by a program that knew less of it.
            return try log.add(.first, AccountArchive.firstHead(news), news.lines)
        }
        var lines = news.lines
        let isFirst = since == nil ? true : try state.isFirst()
        if isReplay || isFirst { lines = Lines.without(try log.ids(in: last), lines) }
        guard news.isLimited else { return try log.append(lines) }
        // The first look brought events from after its token, and events may be missing between that token and them. So the gap
        // ends after the last of these events: the server is asked for the token there.
        let head = SegmentHead(before: .gap, from: news.from, to: isFirst ? nil : since)
        // An island is written with all its events, or not at all. After the first look, a response may have known events only.
        if isReplay, isBegun(head, by: try log.head(of: last)) { return }
        if isFirst, lines.isEmpty { return }
        guard let name = last.island else { throw FileError(.write, news.room, .full) }
        try log.add(name, head, lines)
    }

    /// True if a segment is the island that begins with this head. The head of a room's first island does not say where its gap
    /// ends.
    private func isBegun(_ head: SegmentHead, by known: SegmentHead?) -> Bool {
        known == head || known == SegmentHead(before: .gap, from: head.from)
    }

    private static func firstHead(_ news: RoomNews) -> SegmentHead {
        news.isStart ? SegmentHead(before: .start) : SegmentHead(before: .gap, from: news.from)
    }

    // MARK: - Rooms

    /// Makes the folders of new rooms, each with its first events. A folder gets its name when everything is in it.
    /// - Parameter since: the token that their response follows.
    private func make(_ news: [RoomNews], since: String?) throws(FileError) {
        guard !news.isEmpty else { return }
        let isSynced = news.count <= AccountArchive.fewRooms
        var names: [(news: RoomNews, name: String)] = []
        for news in news {
            let name = news.facts.conversation { conversations.contains($0) }
            try attempt(news.facts, since: since) { () throws(FileError) in
                try prepare(news, name, isSynced: isSynced)
                conversations.insert(name)
                names.append((news, name))
            }
        }
        if !isSynced { try DiskFile.syncAll(of: path) }
        for (news, name) in names {
            let (new, final) = (folder(of: ".new-" + name), folder(of: name))
            try attempt(news.facts, since: since) { () throws(FileError) in
                try Disk.rename(new, to: final)
                rooms[news.room] = Room(conversation: name, facts: news.facts)
                note(news.facts.names, before: [:])
                try owed.remove(news.room)
            }
        }
        try OpenFile(folder: ArchivePaths(path).conversations).syncNames()
        list.changes += 1
        try nameSuccessors(of: Set(names.map(\.news.room)))
    }

    /// Writes a new room into a folder that no reader looks into.
    private func prepare(_ news: RoomNews, _ name: String, isSynced: Bool) throws(FileError) {
        let new = folder(of: ".new-" + name)
        try Disk.makeFolder(new, isPrivate: false)
        let file = file(news.facts, of: name)
        try DiskFile.replace(ArchivePaths.description(in: new), with: [file], isSynced: isSynced)
        try DiskFile.replace(
            "\(new)/\(SegmentName.first.file)", with: [AccountArchive.firstHead(news).line, news.lines],
            isSynced: isSynced)
    }

    /// Writes the rooms whose successors or predecessors are among these new ones: their files can name them from now on.
    private func nameSuccessors(of new: Set<String>) throws(FileError) {
        for room in rooms.values {
            let near = [room.facts.replacement, room.facts.predecessor].compactMap { $0 }
            guard near.contains(where: new.contains) else { continue }
            _ = try attempt { () throws(FileError) in try write(room.facts, of: room.conversation) }
        }
    }

    private func write(_ facts: RoomFacts, of conversation: String) throws(FileError) {
        try DiskFile.replace(
            ArchivePaths.description(in: folder(of: conversation)), with: [file(facts, of: conversation)])
    }

    private func file(_ facts: RoomFacts, of conversation: String) -> [UInt8] {
        facts.file(
            conversation: conversation, person: { events.names.nameElsewhere($0) },
            known: { rooms[$0]?.conversation }, me: me, isReadable: isReadable
        ).line
    }

    // MARK: - Gaps

    /// The places in a room where events are missing, the newest first.
    package func gaps(in room: String) throws(FileError) -> [SyncGap] { try log(of: room)?.gaps() ?? [] }

    /// True if a room has no message after its newest gap, so that a list could not say when something was last written there.
    func isSilent(_ room: String, after gap: SyncGap) throws(FileError) -> Bool {
        try log(of: room)?.isSilent(after: gap.edge) ?? false
    }

    /// The ID of the event at an edge of a gap.
    /// - Parameter isOlder: true if the edge before the gap is meant.
    package func edge(of gap: SyncGap, in room: String, isOlder: Bool) throws(FileError) -> String? {
        guard let log = try log(of: room) else { return nil }
        guard isOlder else { return try log.edge(of: gap.edge, isEnd: false) }
        guard let older = gap.older else { return nil }
        return try log.edge(of: older, isEnd: true)
    }

    /// Records the names of people.
    /// - Parameter news: rooms that are not written yet.
    func take(_ names: [ForeignPerson], _ news: [RoomNews] = []) throws(FileError) {
        try people.take(names) { note in
            for room in rooms.values { note(room.facts.members) }
            for room in news { note(room.facts.members) }
        }
    }

    /// Records the names in a page: they count in all rooms where no other is known, or in this room alone.
    func take(namesOf people: [ForeignPerson], in room: String) throws(FileError) {
        try take(people)
        guard let known = rooms[room] else { return }
        var facts = known.facts
        facts.names = events.names.own(in: room)
        try take(facts, of: known)
        try takeOwnNames()
    }

    private func note(_ names: [String: String], before: [String: String]) {
        for (person, name) in names where before[person] != name { renamed[person, default: []].insert(name) }
    }

    /// A name that a person has by now in all rooms counts everywhere. The others are kept with the person, so that they are found.
    private func takeOwnNames() throws(FileError) {
        defer { renamed = [:] }
        guard !renamed.isEmpty else { return }
        var everywhere: [ForeignPerson] = []
        for (person, names) in renamed {
            let own = rooms.values.filter { !$0.facts.hasLeft && $0.facts.members.contains(person) }
                .map { $0.facts.names[person] }
            guard let name = own.first ?? nil, own.allSatisfy({ $0 == name }), names.contains(name) else { continue }
            events.names.setEverywhere(person, name)
            everywhere.append(ForeignPerson(id: person, name: name))
        }
        try people.take(everywhere, others: renamed) { note in
            for room in rooms.values { note(room.facts.members) }
        }
    }

    /// Writes a page of the events in a gap.
    package func add(
        _ page: EventsPage, _ direction: FillDirection, to gap: SyncGap, in room: String
    ) throws(FileError) {
        guard let log = try log(of: room) else { return }
        guard let segment = gap.segment(for: page, direction) else {
            throw FileError(.write, room, .full)
        }
        try take(namesOf: page.people, in: room)
        let known = gap.isMissed ? try log.idsBefore(gap) : []
        try log.add(segment.name, segment.head, Lines.without(known, page.lines))
        try tellVotes(log)
    }

    /// Writes the votes whose poll has come only now, among older events.
    func tellVotes(_ log: RoomLog) throws(FileError) {
        defer { foundPolls = [:] }
        for (poll, answers) in foundPolls {
            var votes: [String: (id: String, at: String, texts: [String])] = [:]
            var isEnded = false
            log.forEach(with: JSONText(poll).text) { value in
                if value["ends"]?.string == poll, value["from"]?.string == answers.author { isEnded = true }
                guard value["type"]?.string == "reaction", value["target"]?.string == poll,
                    let person = value["from"]?.string, let id = value["id"]?.string, let at = value["at"]?.string
                else { return }
                if isEnded, value["selections"] != nil {
                    // A vote after the end counts for nothing, and is not shown.
                    votes[person] = votes[person] ?? (id, at, [])
                } else if let chosen = value["selections"] {
                    votes[person] = (id, at, answers.texts(of: chosen.elements.compactMap(\.string)))
                } else if value["emoji"]?.string == "vote" {
                    votes[person] = nil
                }
            }
            var lines: [UInt8] = []
            for (person, vote) in votes.sorted(by: { $0.key < $1.key }) {
                for (number, text) in (["vote"] + vote.texts).enumerated() {
                    let record: JSONText = [
                        "type": "reaction", "id": JSONText("\(vote.id)/poll/\(number)"), "target": JSONText(poll),
                        "at": JSONText(vote.at), "from": JSONText(person), "emoji": JSONText(text),
                        "removed": number == 0 ? true : nil,
                    ]
                    lines += record.line
                }
            }
            if !lines.isEmpty { try log.append(lines) }
            events.forget(poll: poll)
        }
    }
}

extension AccountLock {
    /// The lock of an archive of Matrix.
    package init(archive: String, patience: Duration = .zero) throws(FileError) {
        try self.init(archive: archive, folder: archive + "/matrix", patience: patience)
    }
}
