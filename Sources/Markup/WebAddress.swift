/// A web address found in a text by `WebLink` of Search.
package enum WebAddress {
    /// The real host of an address, if a reader may see another one: `evil.org` in `https://bank.com@evil.org/`, and
    /// `xn--80ak6aa92e.com` in `https://аррӏе.com/`, whose letters look like others. Nil if the host is clear.
    package static func disguisedHost(of address: String) -> String? {
        let rest = address.utf8.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
        let labels = String(Substring(host)).split(separator: ".", omittingEmptySubsequences: false)
        let isDeceptive = labels.contains { mayBeTakenForAnother($0.unicodeScalars) }
        guard isDeceptive || authority.contains(UInt8(ascii: "@")) || authority.contains(UInt8(ascii: "%")) else {
            return nil
        }
        return labels.map { isDeceptive ? ascii($0) : String($0) }.joined(separator: ".")
    }

    // MARK: - Letters that look like others

    private enum Script { case latin, greek, cyrillic, armenian, cherokee, other }

    private static func script(_ scalar: Unicode.Scalar) -> Script? {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: .cyrillic
        case 0x530...0x58F: .armenian
        case 0x13A0...0x13FF, 0xAB70...0xABBF: .cherokee
        default: scalar.value < 0x80 || !scalar.properties.isAlphabetic ? nil : .other
        }
    }

    /// Letters of other alphabets that look like ASCII letters.
    private static let lookalikes = Set("асԁеһіјӏорԛѕԝхуьѵԍ".unicodeScalars).union("αικνορτυωχ".unicodeScalars)

    /// True if a part of a host mixes similar alphabets, consists only of letters that look like ASCII, or contains an invisible
    /// character.
    private static func mayBeTakenForAnother(_ label: Substring.UnicodeScalarView) -> Bool {
        if label.allSatisfy(\.isASCII) { return false }
        if label.contains(where: { $0.properties.isDefaultIgnorableCodePoint && $0.value != 0xFE0F }) { return true }
        let scripts = Set(label.compactMap(script))
        let alike = scripts.subtracting([.other])
        if alike.count > 1 || scripts.contains(.latin) && label.contains(where: { "ꞌʼ⁄∕ǃ".unicodeScalars.contains($0) })
        {
            return true
        }
        return !alike.isEmpty && label.allSatisfy { $0.isASCII || lookalikes.contains($0) }
    }

    /// A part of a host in Punycode (RFC 3492), which browsers look up.
    private static func ascii(_ label: Substring) -> String {
        let scalars = label.lowercased().unicodeScalars.map(\.value)
        let basic = scalars.filter { $0 < 0x80 }
        guard basic.count < scalars.count, scalars.count <= 63 else { return String(label) }
        var output = basic.compactMap { Unicode.Scalar($0).map(String.init) }.joined() + (basic.isEmpty ? "" : "-")
        var (next, delta, bias, handled): (UInt32, UInt32, UInt32, UInt32) = (0x80, 0, 72, UInt32(basic.count))
        while handled < scalars.count {
            let least = scalars.filter { $0 >= next }.min() ?? next
            delta += (least - next) * (handled + 1)
            next = least
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                var (rest, step): (UInt32, UInt32) = (delta, 36)
                while true {
                    let threshold = step <= bias ? 1 : min(26, step - bias)
                    if rest < threshold { break }
                    output += digit(threshold + (rest - threshold) % (36 - threshold))
                    rest = (rest - threshold) / (36 - threshold)
                    step += 36
                }
                output += digit(rest)
                bias = adapted(delta, handled + 1, isFirst: handled == basic.count)
                (delta, handled) = (0, handled + 1)
            }
            (delta, next) = (delta + 1, next + 1)
        }
        return "xn--" + output
    }

    private static func digit(_ value: UInt32) -> String {
        String(Character(Unicode.Scalar(UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30))))
    }

    private static func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps: UInt32 = 0
        while delta > 455 {
            delta /= 35
            steps += 36
        }
        return steps + 36 * delta / (delta + 38)
    }
}
