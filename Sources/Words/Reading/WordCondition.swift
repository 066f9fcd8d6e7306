/// The words that a text must contain.
package enum WordCondition: Hashable, Sendable {
    /// All of these phrases, each with its words in a row. Words as `WordTerm.stored` returns them.
    case phrases([[[UInt8]]])
    /// A word that begins with these bytes.
    case beginning([UInt8])
}
