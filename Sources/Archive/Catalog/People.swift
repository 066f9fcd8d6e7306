internal import Messages

/// Names of persons, from people.json. The file is never held: it is walked once for the IDs of a page that are not yet
/// known, of which only so many are remembered. For the time of a walk it is the one file that is read whole, since
/// simdjson takes documents whole: 40,000 persons are some 800 KB.
final class People {
    static let remembered = 4_096
    private static let largestFile: Int64 = 64 << 20

    let path: String
    private var known: [PersonID: Person] = [:]
    private var stamp: FileStamp?
    /// The faults of the file when it was last read.
    private(set) var problems = ProblemList()

    init(path: String) { self.path = path }

    /// Somebody the file does not name is named by the ID. Others who are known may be among those that are returned.
    func names(_ ids: Set<PersonID>) -> [PersonID: Person] {
        let now = (try? FileStamp.of(path)) ?? nil
        if now != stamp {
            known.removeAll()
            stamp = now
        }
        let missing = ids.filter { known[$0] == nil }
        if !missing.isEmpty {
            if known.count + missing.count > People.remembered { known = known.filter { ids.contains($0.key) } }
            known.reserveCapacity(known.count + missing.count)
            problems = look(for: missing)
        }
        return known
    }

    /// Gives the ID and the name of each person in the file; the name may be empty. What cannot be read has no persons.
    func forEach(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) {
        problems = walk { person in
            guard person.kind(0) == .string else { return true }
            body(
                person.bytes(0),
                person.kind(1) == .string ? person.bytes(1) : UnsafeRawBufferPointer(start: nil, count: 0))
            return true
        }
    }

    /// Gives the objects of the file, their IDs and names, until the closure returns false.
    /// - Returns: why it could not be read.
    private func walk(_ body: (Fields) -> Bool) -> ProblemList {
        var problems = ProblemList()
        var reason: String?
        do {
            if try FileStamp.of(path) == nil {
                reason = File.obstacle(path) ?? "there is no such file"
            } else {
                let file = try SmallFile(path, limit: People.largestFile)
                try JSONReader(names: "id name").array(file.slice, body)
            }
        } catch let error as StoreError {
            reason = error.reason
        } catch {
            reason = (error as? JSONReader.Failure)?.reason("a JSON array of persons") ?? "\(error)"
        }
        if let reason { problems.add("people.json: \(reason); IDs are shown instead of names") }
        return problems
    }

    /// Makes these people known: by the file, else by their IDs.
    private func look(for missing: Set<PersonID>) -> ProblemList {
        // One bit each of the wanted hashes, which spares most persons of the file a look into the dictionary.
        var bits: UInt64 = 0
        var left: [IDHash: PersonID] = [:]
        left.reserveCapacity(missing.count)
        for id in missing {
            let hash = IDHash(id)
            left[hash] = id
            bits |= 1 << (hash.value >> 58)
        }
        let problems = walk { person in
            let hash = IDHash(person.bytes(0))
            guard bits & 1 << (hash.value >> 58) != 0, let id = left[hash], person.bytes(0).holds(id.rawValue) else {
                return true
            }
            left[hash] = nil
            known[id] = Person(id: id, name: person.text(1) ?? id.rawValue)
            return !left.isEmpty
        }
        // Two IDs may have one hash: one of them is not in `left`.
        for id in missing where known[id] == nil { known[id] = Person(id: id, name: id.rawValue) }
        return problems
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these are the bytes of a text.
    fileprivate func holds(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.count == count && $0.elementsEqual(self) }
    }
}
