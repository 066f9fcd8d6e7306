internal import Dates

/// The facts that the path of a log tells: the network, the window, and perhaps the day.
///
///     irc.libera.#kedge.weechatlog                        libera, #kedge
///     libera/#kedge/2026-03-29.log                        libera, #kedge, 29 March
///     users/ana/networks/libera/moddata/log/#kedge/…      libera, #kedge
///     Libera-#kedge.log                                   Libera, #kedge
///     2026/03/29/#ubuntu.txt                              #ubuntu, 29 March
struct IRCPath: Hashable, Sendable {
    var network: String?
    /// With the sign of a channel.
    var window: String
    /// Days since 1970.
    var day: Int?
    /// 3 for `#kedge.log.3`; 0 for a file that was not rotated.
    var rotation = 0
    /// The path without dates and rotations: equal for all files of a window.
    var key: String

    init(_ path: String, root: String) {
        var parts = path.split(separator: "/").map(String.init)
        var name = IRCFileName(parts.popLast() ?? "")
        (day, rotation) = (name.day, name.rotation)
        if day == nil { day = IRCPath.day(in: parts) }
        parts.removeAll { IRCPath.isDate($0) }
        if name.stem.isEmpty || name.stem == "out", let folder = parts.popLast() { name.stem = folder }
        if name.stem.isEmpty { name.stem = root }
        key = (parts + [name.stem]).joined(separator: "/")
        (network, window) = IRCPath.split(name, in: parts)
    }

    private static func split(_ name: IRCFileName, in folders: [String]) -> (network: String?, window: String) {
        if name.kind == "weechatlog" || name.stem.hasPrefix("irc.") {
            if let found = weechat(name.stem) { return found }
        }
        var folders = folders
        while let last = folders.last, noise.contains(last.lowercased()) || last == name.stem { folders.removeLast() }
        var network = folders.last
        // The folder before that of a program or user is none of a network.
        if let place = folders.lastIndex(of: "networks"), place + 1 < folders.count { network = folders[place + 1] }
        for sign in ["-#", "_#", "-&", "_&"] {
            if let place = name.stem.firstRange(of: sign) {
                let before = name.stem[..<place.lowerBound]
                let window = String(name.stem[name.stem.index(after: place.lowerBound)...])
                if !before.isEmpty { return (String(before.split(separator: "_").last ?? before), window) }
            }
        }
        return (network, name.stem)
    }

    /// `irc.SERVER.#CHANNEL`, `irc.server.SERVER`, `irc.SERVER.NICK`. A server may have points in its name, and so may a channel.
    private static func weechat(_ stem: String) -> (network: String?, window: String)? {
        guard stem.hasPrefix("irc.") else { return (nil, stem) }
        let rest = stem.dropFirst(4)
        if rest.hasPrefix("server."), rest.count > 7 { return (String(rest.dropFirst(7)), "server") }
        for sign in [".#", ".&", ".!", ".+"] {
            if let place = rest.firstRange(of: sign) {
                return (String(rest[..<place.lowerBound]), String(rest[rest.index(after: place.lowerBound)...]))
            }
        }
        guard let point = rest.lastIndex(of: ".") else { return (nil, String(rest)) }
        return (String(rest[..<point]), String(rest[rest.index(after: point)...]))
    }

    /// Folders that programs make between those of networks and windows.
    private static let noise: Set<String> = [
        "log", "logs", "moddata", "networks", "users", "irclogs", "xchatlogs", "scrollback", "channels", "queries",
        "console",
        "channellogger", "weechat", "irssi", "hexchat", "znc", ".weechat", "history", "irc",
    ]

    /// `2026`, `03`, `2026-03` and `2026-03-29`: years, months and days.
    private static func isDate(_ folder: String) -> Bool {
        let digits = folder.utf8.filter { $0 &- 48 < 10 }.count
        guard digits > 0, folder.utf8.allSatisfy({ $0 &- 48 < 10 || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }) else {
            return false
        }
        return digits == 2 || digits == 4 || digits == 6 || digits == 8
    }

    /// The day of `2026/03/29`.
    private static func day(in folders: [String]) -> Int? {
        if let day = folders.lazy.compactMap({ IRCFileName($0).day }).first { return day }
        guard folders.count >= 3 else { return nil }
        for start in 0...(folders.count - 3) {
            let parts = folders[start..<(start + 3)].compactMap { Int($0) }
            if parts.count == 3, parts[0] > 1_980, folders[start].count == 4,
                let date = CivilDate(checkedYear: parts[0], month: parts[1], day: parts[2])
            {
                return date.daysSinceEpoch
            }
        }
        return nil
    }
}

extension IRCPath {
    /// Whether the window is a channel.
    var isChannel: Bool { window.first.map { "#&!+".contains($0) } ?? false }

    /// `libera.kedge`: the ID of a conversation.
    var id: String {
        let plain = window.drop { "#&!+".contains($0) }
        let name = IRCPath.typed(plain.isEmpty ? Substring(window) : plain)
        guard let network else { return name }
        return IRCPath.typed(Substring(network)) + "." + name
    }

    /// Without signs that are hard to type.
    private static func typed(_ name: Substring) -> String {
        let text = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0.value <= 32 || $0.value == 127 || $0 == "/" || $0 == "\\" ? "-" : $0 }))
        return text.isEmpty ? "log" : text
    }
}
