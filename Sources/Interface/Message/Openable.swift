import Messages

/// Something in a message that `o` opens.
enum Openable: Hashable, Sendable {
    /// As it is shown and opened.
    case link(String)
    case file(Attachment)

    /// Its name.
    var name: String {
        switch self {
        case .link(let address): address
        case .file(let attachment): attachment.name
        }
    }

    /// `link`, `file`, or both, for people.
    static func kind(of all: [Openable]) -> String {
        let links = all.count { if case .link = $0 { true } else { false } }
        return links == all.count ? "link" : links == 0 ? "file" : "link or file"
    }

    /// The host that it leads to, when its address looks as if it led to another one.
    var disguisedHost: String? {
        if case .link(let address) = self { WebAddress.disguisedHost(of: address) } else { nil }
    }
}

extension Entry {
    /// Its links, and after them its files: the first one has the number 1.
    var openables: [Openable] {
        body.links.map { .link($0.address) } + message.attachments.map { .file($0) }
    }
}
