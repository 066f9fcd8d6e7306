internal import Files
internal import JSON
/// Collects the rooms in all files.
struct MatrixRooms {
    private struct Room {
        let id: String?
        var name: String?
        var alias: String?
        var topic: String?
        var feeds: [(file: MatrixFile, filter: Bool)] = []
    }

    private let source: Source
    private var rooms: [Room] = []

    init(_ source: Source) { self.source = source }

    mutating func add(_ file: MatrixFile) throws(FileError) {
        let ids = file.isElement ? [] : try roomIDs(of: file)
        if ids.count > 1 {
            for id in ids { try add(file, room: id, filter: true) }
        } else {
            try add(file, room: file.room ?? ids.first, filter: false)
        }
    }

    private mutating func add(_ file: MatrixFile, room id: String?, filter: Bool) throws(FileError) {
        let index = id.flatMap { id in rooms.firstIndex { $0.id == id } } ?? rooms.count
        if index == rooms.count { rooms.append(Room(id: id)) }
        rooms[index].feeds.append((file, filter))
        rooms[index].topic = file.topic ?? rooms[index].topic
        if let name = file.name {
            rooms[index].name = name
        } else if let name = try state("m.room.name", "name", in: file, room: filter ? id : nil) {
            rooms[index].name = name
        }
        if let alias = try state("m.room.canonical_alias", "alias", in: file, room: filter ? id : nil) {
            rooms[index].alias = alias
        }
    }

    private func roomIDs(of file: MatrixFile) throws(FileError) -> [String] {
        let key = Array("\"room_id\"".utf8)
        var ids: [String] = []
        var last: [UInt8] = []
        try source.search(key, in: file.file, from: file.start, context: 300) { _, text in
            let value = text.dropFirst(key.count).drop { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
            guard value.first == UInt8(ascii: "\"") else { return true }
            let id = value.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
            guard id.first == UInt8(ascii: "!"), !id.elementsEqual(last) else { return true }
            last = Array(id)
            let text = String(decoding: id, as: UTF8.self)
            if !ids.contains(text) { ids.append(text) }
            return true
        }
        return ids
    }

    // MARK: - Names

    /// The text in the last event of a type, among the first thousand.
    private func state(
        _ type: String, _ key: StaticString, in file: MatrixFile, room: String?
    ) throws(FileError) -> String? {
        let places = try source.offsets(of: Array("\"\(type)\"".utf8), in: file.file, from: file.start, limit: 1_000)
        for place in places.reversed() {
            let from = max(file.start, place - 16 << 10)
            let window = try source.read(file.file, at: from, count: 64 << 10)
            if let text = MatrixRooms.state(type, key, in: window, at: Int(place - from), room: room) { return text }
        }
        return nil
    }

    /// The text in the event around a place: the nearest brace at which an event of this type begins.
    private static func state(
        _ type: String, _ key: StaticString, in window: [UInt8], at place: Int, room: String?
    ) -> String? {
        let tree = JSONTree()
        var brace = place
        var tries = 0
        while tries < 64, let next = window[..<min(brace, window.count)].lastIndex(of: UInt8(ascii: "{")) {
            (brace, tries) = (next, tries + 1)
            let text = window[brace...].withUnsafeBytes { bytes -> String?? in
                var splitter = RecordSplitter(bytes, isEnd: false)
                guard case .record(let range) = splitter.next(), let value = tree.parse(Bytes(rebasing: bytes[range])),
                    value["type"]?.bytes?.elementsEqual(type.utf8) == true
                else { return nil }
                if let room, value["room_id"]?.string != room { return .some(nil) }
                return .some(value["content"]?[key]?.string.flatMap { $0.isEmpty ? nil : $0 })
            }
            if let text { return text }
        }
        return nil
    }

    // MARK: - Conversations

    /// The conversations. The ID of each is made from the room's alias, its name, or its own ID. If several rooms would have the
    /// same ID, each also contains the room's own ID.
    var conversations: [ForeignConversation] {
        var list = ConversationList()
        for (index, room) in rooms.enumerated() {
            let isDescending = room.feeds.contains { $0.file.isDescending }
            list.add(
                title: room.name ?? room.alias ?? room.id ?? "", slug: MatrixRooms.slug(room),
                place: room.id ?? "\(index + 1)", aliases: [room.id, room.alias].compactMap { $0 }, topic: room.topic,
                feeds: feeds(of: room), order: isDescending || room.feeds.count > 1 ? .byKey : .sequence)
        }
        return list.conversations
    }

    private static func slug(_ room: Room) -> String {
        let names = [
            room.alias.map { String($0.prefix { $0 != ":" }) }, room.name,
            room.id.map { String($0.prefix { $0 != ":" }) },
        ]
        return names.lazy.compactMap { $0 }.map(Slug.of).first { !$0.isEmpty } ?? "room"
    }

    /// Orders the files of one room by their first events.
    private func feeds(of room: Room) -> [Feed] {
        room.feeds.sorted { ($0.file.begin, $0.file.file.path) < ($1.file.begin, $1.file.file.path) }.enumerated().map {
            rank, feed in
            let setting = MatrixSetting(
                room: feed.filter ? room.id : nil, isElement: feed.file.isElement, isDescending: feed.file.isDescending,
                rank: rank, media: feed.file.isElement ? media(beside: feed.file.file) : [])
            return Feed(file: feed.file.file.path, start: feed.file.start, setting: setting.text, rank: rank)
        }
    }

    /// The files that Element put next to the export.
    private func media(beside file: SourceFile) -> [String] {
        let folder = file.folder.isEmpty ? "" : file.folder + "/"
        return source.files.lazy.map(\.path).filter { path in
            path.hasPrefix(folder)
                && ["images/", "videos/", "audio/", "files/", "stickers/"].contains {
                    path.dropFirst(folder.count).hasPrefix($0)
                }
                && !path.contains("\n")
        }
    }
}

/// A change of a person's membership, name or picture.
struct MatrixMembership {
    /// The name to show from now on; nil if it stays.
    let name: String?
    /// The text to show; nil if nothing changed that people see.
    let text: String?
    /// `join`, `leave`, `nick`, `mode`; nil for other changes.
    let presence: String?
    /// True if another person made the change.
    let isBySomebodyElse: Bool

    init(_ event: MatrixEvent, _ names: MatrixNames) {
        let (member, sender) = (event.stateKey ?? .empty, event.sender ?? .empty)
        isBySomebodyElse = !member.elementsEqual(sender)
        let content = event.content
        let now = content?["membership"]?.string ?? ""
        let before = event.previous?["membership"]?.string ?? ""
        let newName = names.given(by: event)
        name = now == "join" || now == "invite" ? newName : nil
        let oldName = event.previous?["displayname"]?.string?.visibleName ?? names.name(member)
        let shown = newName ?? oldName
        let actor = names.name(sender)
        let reason = content?["reason"]?.string.map { ": \($0)" } ?? ""
        var (text, presence): (String?, String?) = (nil, nil)
        switch (before, now) {
        case ("join", "join"):
            if let newName, newName != oldName {
                (text, presence) = ("\(oldName) is now \(newName)", "nick")
            } else if content?["avatar_url"]?.string != event.previous?["avatar_url"]?.string {
                (text, presence) = ("\(shown) changed their picture", "mode")
            }
        case (_, "join"): (text, presence) = ("\(shown) joined", "join")
        case (_, "invite"): text = "\(actor) invited \(shown)\(reason)"
        case (_, "ban"): (text, presence) = ("\(actor) banned \(shown)\(reason)", "leave")
        case ("ban", "leave"): text = "\(actor) unbanned \(shown)\(reason)"
        case ("invite", "leave"):
            text =
                isBySomebodyElse
                ? "\(actor) took back the invitation of \(shown)\(reason)" : "\(shown) declined the invitation"
        case (_, "leave"):
            text = isBySomebodyElse ? "\(actor) removed \(shown)\(reason)" : "\(shown) left\(reason)"
            presence = "leave"
        case (_, "knock"): text = "\(shown) asked to join\(reason)"
        default: break
        }
        (self.text, self.presence) = (text, presence)
    }
}

/// The display names of people, from events. A person may have a different name in each room of a server: the first known name is
/// used in rooms without another.
package struct MatrixNames {
    private var names: [String: String] = [:]
    /// The names of people in single rooms, if they differ.
    private var own: [String: [String: String]] = [:]
    /// The room of the next events; empty for an export, in which each person has one name.
    var room = ""

    /// Sets the name of a person in the current room.
    /// - Returns: true if the name is also used in rooms where the person has no other name.
    @discardableResult
    package mutating func set(_ person: String, _ name: String) -> Bool {
        if room.isEmpty || names[person] == nil { names[person] = name }
        own[room]?[person] = nil
        if names[person] == name { return true }
        own[room, default: [:]][person] = name
        return false
    }

    /// Sets the name for rooms where the person has no other name.
    package mutating func setEverywhere(_ person: String, _ name: String) { names[person] = name }

    /// Sets the names of people in a room that differ from the names used elsewhere.
    package mutating func set(own names: [String: String], in room: String) { own[room] = names.isEmpty ? nil : names }

    /// The names of people in a room, if they differ from the names used elsewhere.
    package func own(in room: String) -> [String: String] { own[room] ?? [:] }

    /// The name for rooms where the person has no other name.
    func everywhere(_ id: String) -> String? { names[id] }

    /// The name in the current room; nil if no event has given one.
    package func known(_ id: String) -> String? { own[room]?[id] ?? names[id] }

    /// The name to show in a room.
    package func name(_ person: String, in room: String) -> String { own(in: room)[person] ?? nameElsewhere(person) }

    /// The name to show in rooms where the person has no other name.
    package func nameElsewhere(_ person: String) -> String { names[person] ?? name(person) }

    /// The name to show; without a known name, the part of the ID before the colon.
    func name(_ person: Bytes) -> String { name(person.string) }

    func name(_ id: String) -> String { known(id) ?? MatrixNames.local(id) }

    private static func local(_ id: String) -> String {
        String(id.dropFirst(id.hasPrefix("@") ? 1 : 0).prefix { $0 != ":" })
    }

    /// The name that a member event gives to a person in the room. An event without a name, from somebody who has a name
    /// elsewhere, removes the name in this room.
    package func given(by event: MatrixEvent) -> String? {
        if let name = event.content?["displayname"]?.string?.visibleName { return name }
        guard !room.isEmpty, let id = event.stateKey?.string, event.content?["membership"]?.string == "join",
            known(id) != nil
        else { return nil }
        return MatrixNames.local(id)
    }
}

extension String {
    /// The name; nil if it would be invisible: only blanks and characters without a width.
    package var visibleName: String? {
        let isVisible = unicodeScalars.contains { scalar in
            let properties = scalar.properties
            if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return false }
            switch properties.generalCategory {
            case .control, .format, .unassigned, .nonspacingMark, .enclosingMark: return false
            // The braille pattern without dots.
            default: return scalar.value != 0x2800
            }
        }
        return isVisible ? self : nil
    }

    /// The name without characters that a terminal does not show, and with single blanks. Names of the same form look the same.
    package var shownForm: String {
        let isPlain = utf8.allSatisfy { (0x21..<0x7F).contains($0) }
        if isPlain { return self }
        var form = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let properties = scalar.properties
            if properties.isWhitespace || scalar.value == 0x2800 {
                form.append(" ")
            } else if !properties.isDefaultIgnorableCodePoint,
                ![.control, .format].contains(properties.generalCategory)
            {
                form.append(scalar)
            }
        }
        return String(form).split(separator: " ").joined(separator: " ")
    }
}

/// Lines for events that are not messages.
enum MatrixState {
    /// Nil for an event that is not shown.
    static func text(of event: MatrixEvent, by actor: String) -> String? {
        let content = event.content
        func value(_ key: StaticString) -> String { content?[key]?.string ?? "" }
        switch event.type.string {
        case "m.room.create": return "\(actor) created the room"
        case "m.room.name":
            return value("name").isEmpty
                ? "\(actor) removed the room's name" : "\(actor) named the room «\(value("name"))»"
        case "m.room.topic":
            return value("topic").isEmpty
                ? "\(actor) removed the topic" : "\(actor) changed the topic to «\(value("topic"))»"
        case "m.room.avatar": return "\(actor) changed the room's picture"
        case "m.room.canonical_alias":
            return value("alias").isEmpty
                ? "\(actor) changed the room's addresses" : "\(actor) set the room's address to \(value("alias"))"
        case "m.room.encryption": return "\(actor) turned on encryption"
        case "m.room.pinned_events": return "\(actor) changed the pinned messages"
        case "m.room.tombstone":
            return value("body").isEmpty ? "\(actor) moved the room" : "\(actor) moved the room: \(value("body"))"
        case "m.room.power_levels": return "\(actor) changed permissions"
        case "m.room.join_rules": return "\(actor) changed who may join: \(value("join_rule"))"
        case "m.room.history_visibility":
            return "\(actor) changed who may read the history: \(value("history_visibility"))"
        case "m.room.guest_access": return "\(actor) changed whether guests may join: \(value("guest_access"))"
        case "m.room.server_acl": return "\(actor) changed the servers that may take part"
        case "m.call.invite": return "\(actor) called"
        case "m.call.hangup": return "\(actor) ended the call"
        case "m.beacon_info", "org.matrix.msc3672.beacon_info":
            guard content?["live"]?.isTrue == true else { return "\(actor) stopped sharing their live location" }
            let about = value("description").isEmpty ? "" : ": \(value("description"))"
            return "\(actor) shared their live location\(about)"
        case "m.beacon", "org.matrix.msc3672.beacon":
            let place = content?["m.location"] ?? content?["org.matrix.msc3488.location"]
            let address = place?["uri"]?.string.map { " (\($0))" } ?? ""
            return "\(actor) sent their live location\(address)"
        default: return nil
        }
    }

    /// True if a change of settings is as unimportant as joins and leaves.
    static func isMinor(_ type: Bytes) -> Bool {
        switch type.string {
        case "m.room.power_levels", "m.room.join_rules", "m.room.history_visibility", "m.room.guest_access",
            "m.room.server_acl", "m.room.canonical_alias", "m.room.avatar", "m.beacon", "org.matrix.msc3672.beacon":
            true
        default: false
        }
    }
}
