/// A word as it stands in the files of words.
package enum WordTerm {
    /// Longer words are cut to so many bytes.
    package static let longest = 1_024
    /// Follows a word that was cut, so that no other is taken for it: no text in UTF-8 holds this byte.
    private static let cut: UInt8 = 0xFF

    package static func stored(_ word: [UInt8]) -> [UInt8] {
        word.count <= longest ? word : word.prefix(longest) + [cut]
    }
}
