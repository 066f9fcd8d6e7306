/// Makes text from a file safe to include in a line for people: without control characters, and at most 80 characters
/// long.
func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(80).map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: Unicode.Scalar(0xFFFD) ?? scalar
        default: scalar
        }
    }
    return String(String.UnicodeScalarView(scalars))
}
