internal import Formats

/// The names of people, as people.json keeps them.
struct PeopleFile {
    private let path: String
    private(set) var names: [String: String] = [:]

    init(path: String) throws(DiskFailure) {
        self.path = path
        guard let bytes = try DiskFile.read(path) else { return }
        bytes.withUnsafeBytes { bytes in
            let tree = JSONTree()
            defer { withExtendedLifetime(tree) {} }
            guard let list = tree.parse(bytes) else { return }
            for person in list.elements {
                if let id = person["id"]?.string { names[id] = person["name"]?.string }
            }
        }
    }

    /// Takes names, and writes the file if one of them is new.
    mutating func take(_ people: [ForeignPerson]) throws(DiskFailure) {
        var isNew = false
        for person in people where names[person.id] != person.name {
            names[person.id] = person.name
            isNew = true
        }
        if isNew { try write() }
    }

    func write() throws(DiskFailure) {
        let lines = names.sorted { $0.key < $1.key }.map {
            "{\"id\":\(JSONString.text($0.key)),\"name\":\(JSONString.text($0.value))}"
        }
        try DiskFile.replace(path, with: [Array("[\(lines.joined(separator: ",\n"))]\n".utf8)])
    }
}
