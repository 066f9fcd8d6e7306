import Markup
import Messages

/// Something in a message that `o` opens.
enum Openable: Hashable, Sendable {
    /// The address as it is shown and opened.
    case link(String)
    case file(Attachment, of: MessageID)

    /// The name for a notice.
    var name: String {
        switch self {
        case .link(let address): address
        case .file(let attachment, _): attachment.name
        }
    }

    var isPicture: Bool { if case .file(let file, _) = self { file.isPicture } else { false } }

    /// Copies its address.
    var copied: [Outcome] {
        guard case .link(let address) = self else { return [.warn("a file has no address to copy")] }
        return [.tell("address copied: \(address)"), .effect(.copy(address))]
    }

    /// `link`, `file`, or both.
    static func kind(of all: [Openable]) -> String {
        let links = all.count { if case .link = $0 { true } else { false } }
        return links == all.count ? "link" : links == 0 ? "file" : "link or file"
    }

    /// The host of a link whose address looks as if it led to another host.
    var disguisedHost: String? {
        if case .link(let address) = self { WebAddress.disguisedHost(of: address) } else { nil }
    }
}

extension Entry {
    /// Its links, then its files. The first one has the number 1.
    var openables: [Openable] {
        body.links.map { .link($0.address) } + message.attachments.map { .file($0, of: id) }
    }
}
