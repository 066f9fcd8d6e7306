/// The bytes of edits that may wait for their messages in all searches of one run.
final class EditBudget {
    /// Messages are mostly edited soon, so that this is plenty.
    static let usual = 12 << 20

    private(set) var left: Int

    /// - Parameter bytes: at the beginning.
    init(_ bytes: Int = EditBudget.usual) { left = bytes }

    /// - Returns: whether there were so many left.
    func take(_ bytes: Int) -> Bool {
        guard bytes <= left else { return false }
        left -= bytes
        return true
    }

    func giveBack(_ bytes: Int) { left += bytes }
}
