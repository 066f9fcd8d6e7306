internal import ArchiveFormat
internal import Files
internal import JSON
package import Messages
internal import Synchronization

/// The names of people from people.json, and the names that they have in one conversation only, from its conversation.json. Keeps
/// only a bounded number of names in memory: for other names it walks through the file once for each request. During the walk the
/// whole file is in memory, because simdjson parses whole documents: 40,000 people take some 800 KB.
final class People: Sendable {
    private struct State {
        var known: [PersonID: Person] = [:]
        var stamp: FileStamp?
        /// The errors found in the last pass through the file.
        var problems = ProblemList()
        /// The names in single conversations, with the stamps of their files.
        var own: [ConversationID: (stamp: FileStamp?, names: [PersonID: String])] = [:]
    }

    static let remembered = 4_096
    /// The number of conversations whose names are kept.
    private static let rememberedConversations = 64

    let path: String
    private let state = Mutex(State())
    /// The errors found in the last pass through the file.
    var problems: ProblemList { state.withLock { $0.problems } }

    init(path: String) { self.path = path }

    /// The names of these people, and possibly of others. A person without an entry in the file has the ID as name.
    func names(_ ids: Set<PersonID>) -> [PersonID: Person] {
        let now = (try? FileStamp.of(path)) ?? nil
        return state.withLock { state in
            if now != state.stamp {
                state.known.removeAll()
                state.stamp = now
            }
            let missing = ids.filter { state.known[$0] == nil }
            if !missing.isEmpty {
                if state.known.count + missing.count > People.remembered {
                    state.known = state.known.filter { ids.contains($0.key) }
                }
                state.known.reserveCapacity(state.known.count + missing.count)
                state.problems = look(for: missing, &state.known)
            }
            return state.known
        }
    }

    /// The names of these people in a conversation, and possibly those of others.
    func names(_ ids: Set<PersonID>, in conversation: ConversationID) -> [PersonID: Person] {
        var names = names(ids)
        for (id, name) in own(in: conversation) { names[id] = Person(id: id, name: name) }
        return names
    }

    /// The names that people have in a conversation only.
    private func own(in conversation: ConversationID) -> [PersonID: String] {
        let file = ArchivePaths(Disk.folder(of: path)).description(of: conversation.rawValue)
        let stamp = (try? FileStamp.of(file)) ?? nil
        return state.withLock { state in
            if let own = state.own[conversation], own.stamp == stamp { return own.names }
            if state.own.count >= People.rememberedConversations { state.own.removeAll() }
            let names = stamp == nil ? [:] : People.ownNames(file)
            state.own[conversation] = (stamp, names)
            return names
        }
    }

    private static func ownNames(_ path: String) -> [PersonID: String] {
        guard let file = try? SmallFile(path, limit: SmallFile.largest) else { return [:] }
        let content = try? ConversationFileReader().read(file.slice.bytes, readable: file.slice.readable)
        return names(content?.names ?? [])
    }

    static func names(_ people: [PersonEntry]) -> [PersonID: String] {
        Dictionary(people.map { (PersonID($0.id), $0.name) }) { $1 }
    }

    /// Calls `body` with the ID and each name of each person in the file; the name may be empty. An unreadable file
    /// counts as empty.
    func forEach(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) {
        let list = JSONReader(names: "")
        let problems = walk { person in
            body(person.id, person.name ?? .empty)
            for other in person.names(by: list) { Array(other.utf8).withUnsafeBytes { body(person.id, $0) } }
            return true
        }
        state.withLock { $0.problems = problems }
    }

    /// Calls `body` with each person in the file until `body` returns false.
    /// - Returns: the reason why the file could not be read.
    private func walk(_ body: (PersonEntry.Fields) -> Bool) -> ProblemList {
        var problems = ProblemList()
        var reason: String?
        do {
            if try FileStamp.of(path) == nil {
                reason = File.obstacle(path) ?? "there is no such file"
            } else {
                let file = try SmallFile(path, limit: SmallFile.largest)
                try PersonEntry.forEach(in: file.slice.bytes, readable: file.slice.readable, body)
            }
        } catch let error as StoreError {
            reason = error.reason
        } catch {
            reason = (error as? JSONReader.Failure)?.reason("a JSON array of persons") ?? "\(error)"
        }
        if let reason { problems.add("people.json: \(reason); IDs are shown instead of names") }
        return problems
    }

    /// Adds these people to `known`, with the name from the file or the ID as name.
    private func look(for missing: Set<PersonID>, _ known: inout [PersonID: Person]) -> ProblemList {
        // One bit for each wanted hash: for most people in the file, it avoids a lookup in the dictionary.
        var bits: UInt64 = 0
        var left: [IDHash: PersonID] = [:]
        left.reserveCapacity(missing.count)
        for id in missing {
            let hash = IDHash(id)
            left[hash] = id
            bits |= 1 << (hash.value >> 58)
        }
        let problems = walk { person in
            let hash = IDHash(person.id)
            guard bits & 1 << (hash.value >> 58) != 0, let id = left[hash], person.id.holds(id.rawValue) else {
                return true
            }
            left[hash] = nil
            let name = person.name ?? .empty
            known[id] = Person(id: id, name: name.isEmpty ? id.rawValue : name.string)
            return !left.isEmpty
        }
        // If two IDs have the same hash, `left` contains only one of them.
        for id in missing where known[id] == nil { known[id] = Person(id: id, name: id.rawValue) }
        return problems
    }
}

extension UnsafeRawBufferPointer {
    /// True if these bytes are the UTF-8 of a text.
    fileprivate func holds(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.count == count && $0.elementsEqual(self) }
    }
}

/// The result of a search for a person by ID or name.
package enum PersonMatch: Hashable, Sendable {
    case one(PersonID)
    /// Several people have this name.
    case several([Person])
    /// No match. The list has people with similar names, best first.
    case nobody(nearest: [Person])
}

/// The person who reads and writes in an archive.
package struct Identity: Hashable, Sendable {
    /// The place that names the person.
    enum Source: Hashable, Sendable {
        /// The person whom archive.json names, if it names one.
        case ofArchive
        case person(PersonID)
        case nobody
    }

    let source: Source
    /// The words that count as mentions of the person, besides the ID and the name.
    package var highlight: [String] = []

    /// The person whom archive.json names, if it names one.
    package static let ofArchive = Identity(source: .ofArchive)
    package static let nobody = Identity(source: .nobody)

    package static func person(_ id: PersonID) -> Identity { Identity(source: .person(id)) }
}

/// Suggests up to three conversations or people with similar names, best first.
enum Nearest {
    /// Conversations whose ID or title begins like `wanted` or is spelled similarly, regardless of case.
    static func ids(to wanted: ConversationID, among all: [Conversation]) -> [ConversationID] {
        best(all, for: wanted.rawValue, id: \.id.rawValue, errorsIn: 3) { [$0.id.rawValue, $0.title] }.map(\.id)
    }

    /// People whose ID, name or a word of the name is similar. Allows more errors than `ids`, because the user has no
    /// list of people to look at.
    static func people(to wanted: String, among all: [Person]) -> [Person] {
        best(all, for: wanted, id: \.id.rawValue, errorsIn: 2) { person in
            [person.id.rawValue, person.name] + person.name.split(separator: " ").map(String.init)
        }
    }

    /// - Parameter errorsIn: one error is allowed for this many letters.
    private static func best<Item>(
        _ all: [Item], for wanted: String, id: (Item) -> String, errorsIn letters: Int, names: (Item) -> [String]
    ) -> [Item] {
        let wanted = plain(wanted)
        guard !wanted.isEmpty else { return [] }
        let mostErrors = max(1, wanted.count / letters)
        let scored = all.compactMap { item -> (score: Int, id: String, item: Item)? in
            let scores = names(item).compactMap { score(wanted, plain($0), mostErrors: mostErrors) }
            return scores.min().map { ($0, id(item), item) }
        }
        return scored.sorted { ($0.score, $0.id) < ($1.score, $1.id) }.prefix(3).map(\.item)
    }

    /// Drops a leading "#", so that "ubuntu" finds "#ubuntu". Cuts the text, because the edit distance takes quadratic
    /// time.
    private static func plain(_ text: String) -> [Character] {
        Array(text.lowercased().drop { $0 == "#" }.prefix(64))
    }

    private static func score(_ wanted: [Character], _ name: [Character], mostErrors: Int) -> Int? {
        if wanted == name { return 0 }
        if !name.isEmpty, name.starts(with: wanted) || wanted.starts(with: name) { return 1 }
        let distance = distance(wanted, name)
        return distance <= mostErrors ? 1 + distance : nil
    }

    /// The Levenshtein distance.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in b.enumerated() {
                let replaced = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
