/// Words that a text must hold.
package enum WordCondition: Hashable, Sendable {
    /// All of these phrases: of each its words, one after the other. Words as `WordTerm.stored` gives them.
    case phrases([[[UInt8]]])
    /// A word with this beginning.
    case beginning([UInt8])
}
