/// A token of Swift code.
enum Token: Equatable {
    case name(String)
    /// Any character that is not part of a name.
    case symbol(UInt8)

    static func symbol(_ character: Unicode.Scalar) -> Token { .symbol(UInt8(ascii: character)) }

    var name: String? {
        guard case .name(let name) = self else { return nil }
        return name
    }

    /// Whether the name looks like that of a type.
    var isTypeName: Bool { name?.first { $0 != "_" }?.isUppercase == true }
}
