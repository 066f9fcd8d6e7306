internal import Messages

/// The reason why a line is skipped.
enum LineFault: Error, Equatable {
    case notJSON
    case notObject
    case tooLong
    case missing(String)
    case wrongType(String)
    case badTime
    case repeated(MessageID)

    /// The reason for people, without the place of the line.
    var reason: String {
        switch self {
        case .notJSON: "not valid JSON"
        case .notObject: "not a JSON object"
        case .tooLong: "longer than \(LineScanner.longestLine >> 20) MiB"
        case .missing(let key): "no \"\(key)\""
        case .wrongType(let key): "\"\(key)\" has a value of the wrong type"
        case .badTime: "\"at\" is no time such as 2025-03-01T09:12:33Z"
        case .repeated(let id): "repeats the ID \"\(printable(id.rawValue))\""
        }
    }
}
