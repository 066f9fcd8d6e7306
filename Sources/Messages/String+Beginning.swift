extension String {
    /// At most so many Unicode scalars of its beginning. (A single character may hold a million of them.)
    package func beginning(_ count: Int) -> String {
        // Bytes are counted at once, and no scalar has more than four.
        if utf8.count <= count { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }

    /// For a line for people that names what somebody wrote: of a long text the beginning and "…".
    package var shortened: String {
        let start = beginning(60)
        return start.utf8.count == utf8.count ? self : start + "…"
    }
}
