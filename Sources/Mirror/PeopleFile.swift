internal import Formats
internal import Messages

/// The people of a mirror: those that the export lists, and those whom its records name.
struct PeopleFile {
    private let path: String
    /// The file with the checksum; nil for an archive of Kedge's own, whose people anybody may change.
    private let sums: String?
    /// Whether the file holds what was written into it.
    private(set) var isWhole = true
    private var names: [String: String] = [:]
    /// In the order in which they were met.
    private var order: [String] = []

    init(_ path: String) { self.init(path, sums: nil) }

    /// The people of a mirror. Damaged ones count as none.
    init(of files: MirrorFiles) { self.init(files.people, sums: files.peopleSum) }

    private init(_ path: String, sums: String?) {
        (self.path, self.sums) = (path, sums)
        let text = MirrorFiles.text(path)
        if let sums {
            isWhole = text.map { Self.isWhole($0, sums) } ?? false
            guard isWhole else { return }
        }
        guard let text else { return }
        let tree = JSONTree()
        Array(text.utf8).withUnsafeBytes { bytes in
            guard let list = tree.parse(bytes) else { return }
            for person in list.elements {
                if let id = person["id"]?.string, let name = person["name"]?.string { set(id, name) }
            }
        }
    }

    /// All people, in the order in which they were met.
    var all: [ForeignPerson] { order.map { ForeignPerson(id: $0, name: names[$0] ?? $0) } }

    private mutating func set(_ id: String, _ name: String) {
        if names.updateValue(name, forKey: id) == nil { order.append(id) }
    }

    /// Adds people and writes the file if that changes it.
    /// - Parameter isNewest: whether their names are newer than those that are known.
    mutating func add(_ people: [ForeignPerson], isNewest: Bool) throws(StoreError) {
        // A later name in the same records is the newer one.
        var latest: [String: String] = [:]
        var met: [String] = []
        for person in people where latest.updateValue(person.name, forKey: person.id) == nil { met.append(person.id) }
        var isChanged = false
        for id in met {
            guard let name = latest[id], names[id] == nil || isNewest && names[id] != name else { continue }
            set(id, name)
            isChanged = true
        }
        if isChanged { try write() }
    }

    func write() throws(StoreError) {
        let entries = order.map { id in
            "{\"id\":\(JSONString.text(id)),\"name\":\(JSONString.text(names[id] ?? id))}"
        }
        let text = "[\(entries.joined(separator: ",\n"))]\n"
        try MirrorFiles.replace(path, by: text)
        if let sums { try MirrorFiles.replace(sums, by: Self.sum(text)) }
    }

    /// Whether the people of a mirror are as they were written.
    static func isWhole(in files: MirrorFiles) -> Bool {
        MirrorFiles.text(files.people).map { isWhole($0, files.peopleSum) } ?? false
    }

    private static func isWhole(_ text: String, _ sums: String) -> Bool { sum(text) == MirrorFiles.text(sums) }

    private static func sum(_ text: String) -> String { String(Fingerprint.of(text), radix: 16) }
}
