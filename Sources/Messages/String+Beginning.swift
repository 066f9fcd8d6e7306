extension String {
    /// The first Unicode scalars, at most `count`. (A single character may hold a million of them.)
    package func beginning(_ count: Int) -> String {
        // The number of bytes is known at once, and each scalar has at least one.
        if utf8.count <= count { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }

    /// For a line for people that quotes a text: a long text is cut, and "…" follows.
    package var shortened: String {
        let start = beginning(60)
        return start.utf8.count == utf8.count ? self : start + "…"
    }
}
