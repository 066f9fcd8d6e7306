extension String {
    /// At most so many Unicode scalars of its beginning. (A single character may hold a million of them.)
    package func beginning(_ count: Int) -> String {
        // Bytes are counted at once, and no scalar has more than four.
        if utf8.count <= count { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }
}
