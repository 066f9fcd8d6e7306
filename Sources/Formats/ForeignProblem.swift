/// A place in an export that a format did not understand. The rest of the export is shown.
package struct ForeignProblem: Hashable, Sendable {
    /// The path in the source.
    package let file: String
    /// The number of its line, or its first byte; nil for the whole file.
    package let place: Place?
    /// The kind of the problem, in a few words: `record is not valid JSON`. Problems of one kind are counted together.
    package let kind: String

    package enum Place: Hashable, Sendable {
        case line(Int)
        case byte(Int64)
    }

    package init(file: String, place: Place? = nil, kind: String) {
        self.file = file
        self.place = place
        self.kind = kind
    }
}

extension ForeignProblem: CustomStringConvertible {
    /// `2020-01-02.json, byte 120: record is not valid JSON`
    package var description: String {
        switch place {
        case .line(let line): "\(file):\(line): \(kind)"
        case .byte(let byte): "\(file), byte \(byte): \(kind)"
        case nil: "\(file): \(kind)"
        }
    }
}
