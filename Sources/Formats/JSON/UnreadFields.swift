extension RecordWriter {
    /// Kinds of messages that say nothing of them.
    private static let usual: Set<String> = [
        "", "message", "Default", "Reply", "Generic", "private", "incoming", "outgoing",
    ]

    /// Ends a message of a JSON record. If it would show nothing, the texts of the fields that its converter does not read are its
    /// text: a blank row would hide them. Where there are none either, its kind is named.
    /// - Parameter known: the fields that the converter reads, and those that are no content: times, IDs, counts.
    /// - Returns: what to report; nil if nothing was left unread.
    mutating func end(_ record: JSONValue, known: Set<String>) -> String? {
        guard isBlank else {
            end()
            return nil
        }
        var (names, words) = ([String](), [String]())
        record.forEachSetField { name, value in
            let name = name.string
            guard !known.contains(name), value.saysSomething else { return }
            names.append(name)
            value.collectTexts(&words)
        }
        guard !names.isEmpty else {
            let kinds = [record["subtype"], record["type"]].compactMap { $0?.string }
            let kind = kinds.first { !RecordWriter.usual.contains($0) }
            text("text", kind.map { "(message of the kind \($0))" } ?? "(empty message)")
            end()
            return nil
        }
        let fields = names.joined(separator: ", ")
        text("text", words.isEmpty ? "[\(fields)]" : "[\(fields)] " + words.joined(separator: " "))
        end()
        return "message without a text, whose content is not read: \(fields)"
    }
}

extension RecordWriter {
    /// Ends a message that is no JSON record. If it would show nothing, its text says so.
    /// - Returns: what to report; nil if it shows something.
    mutating func endMessage() -> String? {
        let isBlank = isBlank
        if isBlank { text("text", "(empty message)") }
        end()
        return isBlank ? "message without a text" : nil
    }
}

extension JSONValue {
    /// Whether the value holds a text, a number or a `true`.
    var saysSomething: Bool {
        if let bytes { return bytes.contains { $0 > 0x20 } }
        if isArray { return elements.contains { $0.saysSomething } }
        guard isObject else { return isTrue || number ?? 0 != 0 }
        var found = false
        forEachField { _, value in
            found = value.saysSomething
            return !found
        }
        return found
    }

    /// Appends the texts in the value, in their order, until they are many.
    func collectTexts(_ words: inout [String]) {
        guard words.count < 200 else { return }
        if let bytes {
            if !bytes.trimmed.isEmpty { words.append(bytes.trimmed.string) }
        } else if isArray {
            for element in elements { element.collectTexts(&words) }
        } else {
            forEachField { _, value in
                value.collectTexts(&words)
                return true
            }
        }
    }
}
