/// A change of a person's membership, name or picture.
struct MatrixMembership {
    /// The name to show from now on; nil if it stays.
    let name: String?
    /// Nil if nothing changed that people see.
    let text: String?
    /// `join`, `leave`, `nick`, `mode`; nil for other changes.
    let presence: String?
    /// Whether another person did it.
    let isBySomebodyElse: Bool

    init(_ event: MatrixEvent, _ names: MatrixNames) {
        let (member, sender) = (event.stateKey ?? .empty, event.sender ?? .empty)
        isBySomebodyElse = !member.elementsEqual(sender)
        let content = event.content
        let now = content?["membership"]?.string ?? ""
        let before = event.previous?["membership"]?.string ?? ""
        let newName = names.given(by: event)
        name = now == "join" || now == "invite" ? newName : nil
        let oldName = event.previous?["displayname"]?.string?.visibleName ?? names.name(member)
        let shown = newName ?? oldName
        let actor = names.name(sender)
        let reason = content?["reason"]?.string.map { ": \($0)" } ?? ""
        var (text, presence): (String?, String?) = (nil, nil)
        switch (before, now) {
        case ("join", "join"):
            if let newName, newName != oldName {
                (text, presence) = ("\(oldName) is now \(newName)", "nick")
            } else if content?["avatar_url"]?.string != event.previous?["avatar_url"]?.string {
                (text, presence) = ("\(shown) changed their picture", "mode")
            }
        case (_, "join"): (text, presence) = ("\(shown) joined", "join")
        case (_, "invite"): text = "\(actor) invited \(shown)\(reason)"
        case (_, "ban"): (text, presence) = ("\(actor) banned \(shown)\(reason)", "leave")
        case ("ban", "leave"): text = "\(actor) unbanned \(shown)\(reason)"
        case ("invite", "leave"):
            text =
                isBySomebodyElse
                ? "\(actor) took back the invitation of \(shown)\(reason)" : "\(shown) declined the invitation"
        case (_, "leave"):
            text = isBySomebodyElse ? "\(actor) removed \(shown)\(reason)" : "\(shown) left\(reason)"
            presence = "leave"
        case (_, "knock"): text = "\(shown) asked to join\(reason)"
        default: break
        }
        (self.text, self.presence) = (text, presence)
    }
}
