/// A text from a file within a line for people: no control characters, and not without end.
func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(80).map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: Unicode.Scalar(0xFFFD) ?? scalar
        default: scalar
        }
    }
    return String(String.UnicodeScalarView(scalars))
}
