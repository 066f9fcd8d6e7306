/// A colour in parts of red, green and blue, each from 0 to 255.
package struct RGB: Hashable, Sendable {
    package let red: Int
    package let green: Int
    package let blue: Int

    package init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// How bright it seems, from 0 to 255.
    package var grey: Int { (299 * red + 587 * green + 114 * blue) / 1_000 }

    package var isLight: Bool { grey > 127 }

    /// The number of the grey that is nearest to a brightness, among the 24 greys of 256 colours.
    package static func numberOfGrey(_ brightness: Int) -> Int { 232 + min(23, max(0, (brightness - 8 + 5) / 10)) }

    /// The nearest of the 240 fixed ones of the 256 colours.
    package var number: Int {
        (16..<256).min { distance(to: RGB(number: $0)) < distance(to: RGB(number: $1)) } ?? 16
    }

    /// - Parameter number: from 16 on, among the 256 colours: a cube of colours, and greys.
    package init(number: Int) {
        if number >= 232 {
            let grey = 8 + (number - 232) * 10
            self.init(grey, grey, grey)
        } else {
            let levels = [0, 95, 135, 175, 215, 255]
            let index = max(0, number - 16)
            self.init(levels[index / 36], levels[index / 6 % 6], levels[index % 6])
        }
    }

    private func distance(to other: RGB) -> Int {
        let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
        return red * red + green * green + blue * blue
    }
}

extension RGB {
    /// The colour in a terminal's report, such as `rgb:1c1c/1c1c/1c1c`; nil for any other text.
    package init?(report: some Collection<UInt8>) {
        let text = String(decoding: report, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":"), ["rgb", "rgba"].contains(text[..<colon]) else { return nil }
        let parts = text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        let values = parts.prefix(3).compactMap { part -> Int? in
            guard (1...4).contains(part.utf8.count), let value = Int(part, radix: 16) else { return nil }
            return value * 255 / (1 << (4 * part.utf8.count) - 1)
        }
        guard values.count == 3 else { return nil }
        self.init(values[0], values[1], values[2])
    }

    /// `#ff8700`; nil for any other text.
    package init?(hex text: String) {
        guard text.utf8.count == 7, text.first == "#", let value = Int(text.dropFirst(), radix: 16), value >= 0 else {
            return nil
        }
        self.init(value >> 16, value >> 8 & 0xFF, value & 0xFF)
    }
}
