/// A piece of Swift code that matters here.
enum Token: Equatable {
    case name(String)
    /// Any character that belongs to no name.
    case symbol(UInt8)

    static func symbol(_ character: Unicode.Scalar) -> Token { .symbol(UInt8(ascii: character)) }

    var name: String? {
        guard case .name(let name) = self else { return nil }
        return name
    }

    /// Whether types are named like this.
    var isTypeName: Bool { name?.first { $0 != "_" }?.isUppercase == true }
}
