import Display
import Messages

/// The rows of the list, and their order.
///
///     invitations; conversations outside of all spaces; each space: its title, and its conversations by title
///
/// What comes while the list is shown stands below all that, under a title of its own if there are spaces. An invitation that is
/// accepted gives its row to the conversation.
extension Sidebar {
    private static let newHeading = "New"

    mutating func take(_ conversations: [Conversation], _ invitations: [Invitation] = []) {
        (known, invited) = (conversations, invitations)
        if items.isEmpty { return sort() }
        let ids = Set(conversations.map(\.id))
        let listed = Set(order)
        let invitations = Dictionary(invitations.map { ($0.id, $0) }) { first, _ in first }
        var new = conversations.filter { !listed.contains($0.id) }
        items = items.compactMap { item in
            switch item {
            case .heading: return item
            case .conversation(let id): return ids.contains(id) ? item : nil
            case .invitation(let invitation):
                if let same = invitations[invitation.id] { return .invitation(same) }
                guard let place = new.firstIndex(where: { $0.isRoom(of: invitation) }) else { return nil }
                return .conversation(new.remove(at: place).id)
            }
        }
        let shown = Set(items.compactMap { if case .invitation(let invitation) = $0 { invitation.id } else { nil } })
        append(invited.filter { !shown.contains($0.id) }.map { .invitation($0) } + Sidebar.sorted(new))
        dropEmptyHeadings()
    }

    /// Orders all rows anew.
    mutating func sort() {
        let spaces = Dictionary(grouping: known.filter { $0.space != nil }) { $0.space }
        items = invited.map { .invitation($0) } + Sidebar.sorted(known.filter { $0.space == nil })
        for (space, conversations) in spaces.sorted(by: { ($0.key?.place ?? 0) < ($1.key?.place ?? 0) }) {
            items += [.heading(space?.title ?? "")] + Sidebar.sorted(conversations)
        }
    }

    private static func sorted(_ conversations: [Conversation]) -> [SidebarItem] {
        conversations.map { (title: TitleOrder($0.title), id: $0.id) }
            .sorted { ($0.title, $0.id.rawValue) < ($1.title, $1.id.rawValue) }
            .map { .conversation($0.id) }
    }

    private mutating func append(_ new: [SidebarItem]) {
        guard !new.isEmpty else { return }
        let last = items.last(where: \.isHeading)
        if let last, last != .heading(Sidebar.newHeading) { items.append(.heading(Sidebar.newHeading)) }
        items += new
    }

    private mutating func dropEmptyHeadings() {
        let all = items
        items = all.indices.filter { !all[$0].isHeading || $0 + 1 < all.count && !all[$0 + 1].isHeading }.map {
            all[$0]
        }
    }
}

extension Conversation {
    /// Whether an invitation is to this conversation.
    fileprivate func isRoom(of invitation: Invitation) -> Bool {
        address?.hasSuffix("/" + invitation.id) == true
    }
}
