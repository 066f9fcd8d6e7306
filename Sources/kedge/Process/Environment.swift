import Glibc

/// The environment of the process.
enum Environment {
    /// The variables of the process at their first use. Of two with the same name the first one counts, as with `getenv`.
    static let variables: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let name = String(text[..<equals])
                variables[name] = variables[name] ?? String(text[text.utf8.index(after: equals)...])
            }
            next += 1
        }
        return variables
    }()
}
