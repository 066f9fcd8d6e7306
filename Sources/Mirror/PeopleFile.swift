internal import ArchiveFormat
internal import Formats
internal import JSON
internal import Messages

/// The people of a mirror: those in the export's lists, and those named by records.
struct PeopleFile {
    private let path: String
    /// The file with the checksum; nil for a native archive, whose people anybody may change.
    private let sums: String?
    /// False if the file is missing or does not have its checksum. Always true for a native archive.
    private(set) var isWhole = true
    private var names: [String: String] = [:]
    /// The IDs in the order in which they were found.
    private var order: [String] = []

    init(_ path: String) { self.init(path, sums: nil) }

    /// The people of a mirror; none if the file is damaged.
    init(of files: MirrorFiles) { self.init(files.people, sums: files.peopleSum) }

    private init(_ path: String, sums: String?) {
        (self.path, self.sums) = (path, sums)
        let text = MirrorFiles.text(path)
        if let sums {
            isWhole = text.map { Self.isWhole($0, sums) } ?? false
            guard isWhole else { return }
        }
        guard let text else { return }
        Array(text.utf8).withUnsafeBytes { bytes in
            try? PersonEntry.forEach(in: bytes) { person in
                if let name = person.name { set(person.id.string, name.string) }
                return true
            }
        }
    }

    /// All people, in the order in which they were found.
    var all: [ForeignPerson] { order.map { ForeignPerson(id: $0, name: names[$0] ?? $0) } }

    private mutating func set(_ id: String, _ name: String) {
        if names.updateValue(name, forKey: id) == nil { order.append(id) }
    }

    /// Adds people, and writes the file if it changes.
    /// - Parameter isNewest: true if these names are newer than the known ones.
    mutating func add(_ people: [ForeignPerson], isNewest: Bool) throws(StoreError) {
        // A later name in the same records is newer.
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
        let text = PersonEntry.file(order.map { PersonEntry(id: $0, name: names[$0] ?? $0) })
        try MirrorFiles.replace(path, by: text, isOwn: sums != nil)
        if let sums { try MirrorFiles.replace(sums, by: Self.sum(text)) }
    }

    /// True if the people file of a mirror exists and has its checksum.
    static func isWhole(in files: MirrorFiles) -> Bool {
        MirrorFiles.text(files.people).map { isWhole($0, files.peopleSum) } ?? false
    }

    private static func isWhole(_ text: String, _ sums: String) -> Bool { sum(text) == MirrorFiles.text(sums) }

    private static func sum(_ text: String) -> String { String(Fingerprint.of(text), radix: 16) }
}
