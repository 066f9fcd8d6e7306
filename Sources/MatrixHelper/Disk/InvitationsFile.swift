internal import Matrix

/// The rooms to which this account is invited, as invitations.json keeps them: in the order in which they came.
struct InvitationsFile {
    private let path: String
    private(set) var all: [Invitation] = []

    init(path: String) throws(DiskFailure) {
        self.path = path
        all = try DiskFile.read(path)?.withUnsafeBytes { Invitation.all(file: $0) } ?? []
    }

    func holds(_ room: String) -> Bool { all.contains { $0.room == room } }

    /// Takes invitations that have come, and forgets those that were answered.
    /// - Parameter isWhole: whether there are no others than these.
    /// - Returns: whether anything was new.
    mutating func take(
        _ invitations: [Invitation], answered: Set<String>, isWhole: Bool
    ) throws(DiskFailure) -> Bool {
        let given = Set(invitations.map(\.room))
        var new = all.filter { !answered.contains($0.room) && (!isWhole || given.contains($0.room)) }
        for invitation in invitations {
            if let place = new.firstIndex(where: { $0.room == invitation.room }) {
                new[place] = invitation
            } else {
                new.append(invitation)
            }
        }
        guard new != all else { return false }
        try DiskFile.replace(path, with: [Invitation.file(new)])
        all = new
        return true
    }
}
