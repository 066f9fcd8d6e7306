extension CleanText {
    /// The string as people spell it, for searching, with the same UTF-8 offsets. The Thai and Lao AM, which is drawn
    /// as two characters, is one again; an invisible character fills the bytes that are left.
    package var spelled: String {
        guard !isASCII, string.unicodeScalars.contains(where: Scrubber.isNikhahit) else { return string }
        let scalars = Array(string.unicodeScalars)
        var spelled = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let end = scalars[(index + 1)...].firstIndex { !Scrubber.isTone($0) } ?? scalars.count
            if Scrubber.isNikhahit(scalars[index]), end < scalars.count,
                let am = Scrubber.am(of: scalars[index], scalars[end])
            {
                spelled.append(contentsOf: scalars[(index + 1)..<end] + [am, Joining.nonJoiner])
                index = end + 1
            } else {
                spelled.append(scalars[index])
                index += 1
            }
        }
        return String(spelled)
    }
}
