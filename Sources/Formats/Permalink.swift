/// A link to a message, as chat programs copy it for sharing.
///
/// Forms, with their sources: Slack's "Copy link" (real links), Discord's "Copy Message Link" (real links), Telegram's "Private
/// message links" (core.telegram.org/api/links), `matrix.to` and `matrix:` of Matrix (Matrix specification, appendices), Zulip's
/// `#narrow` on any host (zulip-archive, lib/url.py; zulip.com/help/link-to-a-message-or-conversation).
package struct Permalink: Hashable, Sendable {
    /// Aliases of the conversation, the most exact first.
    package let conversations: [String]
    /// The ID of the message; nil for a link to the conversation.
    package let message: String?
    /// The ID of the root of its thread; nil outside of threads, or if the link does not contain it.
    package let thread: String?

    package enum Parsed: Hashable, Sendable {
        case link(Permalink)
        /// A link of a known form that no export can resolve, and the reason for users.
        case unresolvable(String)
    }

    /// Reads a link; nil for any other text.
    package static func parse(_ text: String) -> Parsed? {
        guard let address = Address(text) else { return nil }
        switch address.scheme {
        case "http", "https", "":
            return slack(address) ?? discord(address) ?? telegram(address) ?? matrix(address) ?? zulip(address)
        case "slack": return slackScheme(address)
        case "discord": return discordPath(address.path.drop { $0 == "-" })
        case "tg": return telegramScheme(address)
        case "matrix": return matrixScheme(address)
        default: return nil
        }
    }

    private static func link(_ conversations: [String], _ message: String?, thread: String? = nil) -> Parsed {
        .link(Permalink(conversations: conversations, message: message, thread: thread == message ? nil : thread))
    }

    // MARK: - Slack

    private static func slack(_ address: Address) -> Parsed? {
        guard address.host.hasSuffix(".slack.com") else { return nil }
        let path = address.path
        if path.count >= 2, path[0] == "archives" {
            guard path.count >= 3 else { return link([path[1]], nil) }
            guard let message = slackTime(path[2]) else { return nil }
            let conversations = [path[1]] + (address.query["cid"].map { $0 == path[1] ? [] : [$0] } ?? [])
            return link(conversations, message, thread: address.query["thread_ts"].flatMap(slackTime))
        }
        guard path.count >= 3, path[0] == "client" else { return nil }
        guard path.count >= 4 else { return link([path[2]], nil) }
        if path.count >= 5, path[3] == "thread" {
            // The channel and the root: C024BE91L-1520000000.000100
            let parts = path[4].split(separator: "-", maxSplits: 1).map(String.init)
            guard parts.count == 2, let root = slackTime(parts[1]) else { return nil }
            return link([parts[0]], root)
        }
        return slackTime(path[3]).map { link([path[2]], $0) }
    }

    /// `slack://channel?team=T1&id=C1&message=1520000000.000100`
    private static func slackScheme(_ address: Address) -> Parsed? {
        guard let id = address.query["id"], !id.isEmpty else { return nil }
        return link(
            [id], address.query["message"].flatMap(slackTime), thread: address.query["thread_ts"].flatMap(slackTime))
    }

    /// `1520000000.000100`, from itself or from `p1520000000000100`.
    private static func slackTime(_ text: String) -> String? {
        var digits = text.hasPrefix("p") ? String(text.dropFirst()) : text
        if !digits.contains("."), text.hasPrefix("p"), digits.utf8.count > 6 {
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -6))
        }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy(isNumber) ? digits : nil
    }

    // MARK: - Discord

    private static func discord(_ address: Address) -> Parsed? {
        let names = ["discord.com", "discordapp.com"]
        guard names.contains(where: { address.host == $0 || address.host.hasSuffix("." + $0) }) else { return nil }
        return discordPath(address.path[...])
    }

    /// `channels/1/2/3`, `channels/@me/2/3`, `channels/1/2/threads/4/3`
    private static func discordPath(_ path: ArraySlice<String>) -> Parsed? {
        let path = Array(path)
        guard path.count >= 3, path[0] == "channels", isNumber(path[2]) else { return nil }
        if path.count >= 5, path[3] == "threads", isNumber(path[4]) {
            return link([path[4], path[2]], path.count > 5 && isNumber(path[5]) ? path[5] : nil, thread: path[4])
        }
        guard path.count >= 4 else { return link([path[2]], nil) }
        return isNumber(path[3]) ? link([path[2]], path[3]) : nil
    }

    // MARK: - Telegram

    private static func telegram(_ address: Address) -> Parsed? {
        guard ["t.me", "telegram.me", "telegram.dog"].contains(address.host) else { return nil }
        let path = address.path.first == "s" ? Array(address.path.dropFirst()) : address.path
        guard path.count >= 2 else { return nil }
        guard path[0] == "c" else {
            guard isNumber(path[1]), !path[0].hasPrefix("+") else { return nil }
            return .unresolvable(
                "Telegram exports do not contain names like \"\(path[0])\", so Kedge cannot find the chat of this link: open it by its title"
            )
        }
        guard isNumber(path[1]) else { return nil }
        let numbers = path.dropFirst(2).filter(isNumber)
        return link(
            telegramAliases(path[1]), numbers.last,
            thread: numbers.count > 1 ? numbers.first : address.query["thread"].flatMap { isNumber($0) ? $0 : nil })
    }

    /// `tg://privatepost?channel=1&post=2&thread=3`
    private static func telegramScheme(_ address: Address) -> Parsed? {
        guard address.host == "privatepost", let channel = address.query["channel"], isNumber(channel) else {
            return nil
        }
        return link(telegramAliases(channel), address.query["post"], thread: address.query["thread"])
    }

    /// Exports contain the bare number; bots and other programs add a prefix.
    private static func telegramAliases(_ id: String) -> [String] { [id, "-100" + id] }

    // MARK: - Matrix

    private static func matrix(_ address: Address) -> Parsed? {
        var parts = address.fragment.split(separator: "/").map { String(percentDecoding: $0) }
        if address.host != "matrix.to" {
            // The form of Element and similar clients: https://app.element.io/#/room/!abc:example.org/$event
            guard parts.first == "room" else { return nil }
            parts.removeFirst()
        }
        guard let room = parts.first, room.hasPrefix("!") || room.hasPrefix("#"), room.utf8.count > 1 else {
            return nil
        }
        let event = parts.dropFirst().first { $0.hasPrefix("$") }
        return link([room], event)
    }

    /// `matrix:roomid/abc:example.org/e/event`, `matrix:r/name:example.org`
    private static func matrixScheme(_ address: Address) -> Parsed? {
        let path = address.path
        guard path.count >= 2, let sign = ["roomid": "!", "r": "#", "room": "#"][path[0]] else { return nil }
        let event = path.count >= 4 && (path[2] == "e" || path[2] == "event") ? "$" + path[3] : nil
        return link([sign + path[1]], event)
    }

    // MARK: - Zulip

    /// `#narrow/stream/213222-general/topic/hello/near/179892604`
    private static func zulip(_ address: Address) -> Parsed? {
        let path = address.fragment.split(separator: "/").map(String.init)
        guard path.count >= 3, path[0] == "narrow" else { return nil }
        if ["dm", "pm-with", "group-pm-with"].contains(path[1]) {
            return .unresolvable("this link leads to a direct message, and zulip-archive does not export those")
        }
        guard ["stream", "channel"].contains(path[1]) else { return nil }
        let pairs = stride(from: 3, to: path.count - 1, by: 2).map { (path[$0], path[$0 + 1]) }
        let message = pairs.last { ["near", "with", "id"].contains($0.0) && isNumber($0.1) }?.1
        // Old links contain only the name of the channel, which may begin with a number.
        let number = ZulipName.number(of: path[2]).map { [ZulipName.alias("\($0)")] } ?? []
        return link(number + [ZulipName.decoded(path[2])], message)
    }

    private static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isDigit }
    }
}

extension Permalink {
    /// The parts of a link.
    private struct Address {
        var scheme = ""
        /// In lower case, without a port.
        var host = ""
        /// The parts of the path, percent-decoded, without empty ones.
        var path: [String] = []
        var query: [String: String] = [:]
        /// The fragment, still percent-encoded.
        var fragment = ""

        /// Nil for a text with blanks. Brackets around the link, as in mail, are removed.
        init?(_ text: String) {
            var rest = text[...]
            while let first = rest.first, first.isWhitespace || first == "<" { rest.removeFirst() }
            while let last = rest.last, last.isWhitespace || last == ">" { rest.removeLast() }
            guard !rest.isEmpty, rest.utf8.count < 4_096, !rest.contains(where: \.isWhitespace) else { return nil }
            if let colon = rest.firstIndex(of: ":"),
                rest[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" })
            {
                scheme = rest[..<colon].lowercased()
                rest = rest[rest.index(after: colon)...]
            }
            if let hash = rest.firstIndex(of: "#") {
                let whole = rest[rest.index(after: hash)...]
                fragment = String(whole.prefix { $0 != "?" })
                rest = rest[..<hash]
            }
            if let mark = rest.firstIndex(of: "?") {
                read(query: rest[rest.index(after: mark)...])
                rest = rest[..<mark]
            }
            let hasHost = rest.hasPrefix("//") || scheme.isEmpty
            var parts = rest.split(separator: "/").map { String(percentDecoding: $0) }
            if hasHost, !parts.isEmpty { host = String(parts.removeFirst().lowercased().prefix { $0 != ":" }) }
            path = parts
        }

        private mutating func read(query text: Substring) {
            for pair in text.split(separator: "&") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if sides.count == 2 { query[String(sides[0])] = String(percentDecoding: sides[1]) }
            }
        }
    }
}
