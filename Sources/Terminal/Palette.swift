internal import CNcurses
internal import Display

/// How styles look on the current terminal.
struct Palette {
    struct Look: Equatable {
        let attributes: attr_t
        let pair: Int16

        static let plain = Look(attributes: 0, pair: 0)

        /// Whether it changes how a blank looks.
        var showsOnBlanks: Bool { attributes & (cn_underline() | cn_reverse()) != 0 }
    }

    /// Numbers of the 256 colours. Each has a contrast of at least 3.4 to black and to white.
    static let manyColors: (accent: Int16, warning: Int16, names: [Int16]) =
        (32, 160, [166, 28, 133, 30, 100, 62, 168, 64, 97, 130, 29, 67])
    /// Numbers of the 8 colours, which users make readable in their terminal.
    private static let fewColors: (accent: Int16, warning: Int16, names: [Int16]) = (6, 1, [2, 3, 4, 5, 6, 1])

    private static let accentPair: Int16 = 1
    private static let warningPair: Int16 = 2
    private static let firstNamePair: Int16 = 3

    /// 0 when the terminal has no colour.
    private let nameCount: Int
    private let attributes: attr_t

    /// Defines the colours of the current terminal.
    init(color: Bool) {
        attributes = term_attrs()
        guard color, has_colors(), start_color() == OK, use_default_colors() == OK, cn_color_count() >= 8 else {
            nameCount = 0
            return
        }
        let colors = cn_color_count() >= 256 ? Self.manyColors : Self.fewColors
        init_pair(Self.accentPair, colors.accent, -1)
        init_pair(Self.warningPair, colors.warning, -1)
        for (index, color) in colors.names.enumerated() {
            init_pair(Self.firstNamePair + Int16(index), color, -1)
        }
        nameCount = colors.names.count
    }

    /// Attributes that the terminal lacks are left out; without colour, accents and warnings are bold.
    func look(of style: Style) -> Look {
        var wanted: attr_t = 0
        if style.attributes.contains(.bold) { wanted |= cn_bold() }
        if style.attributes.contains(.dim) { wanted |= cn_dim() }
        if style.attributes.contains(.italic) { wanted |= cn_italic() }
        if style.attributes.contains(.underline) { wanted |= cn_underline() }
        if style.attributes.contains(.reverse) { wanted |= cn_reverse() }
        var pair: Int16 = 0
        switch style.color {
        case .standard: break
        case .accent where nameCount == 0, .warning where nameCount == 0: wanted |= cn_bold()
        case .accent: pair = Self.accentPair
        case .warning: pair = Self.warningPair
        case .name(let number) where nameCount > 0:
            let index = (number % nameCount + nameCount) % nameCount
            pair = Self.firstNamePair + Int16(truncatingIfNeeded: index)
        case .name: break
        }
        return Look(attributes: wanted & attributes, pair: pair)
    }
}
