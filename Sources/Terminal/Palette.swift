internal import CNcurses
internal import Display

/// The attributes and colours of styles on the current terminal.
struct Palette {
    struct Look: Equatable {
        let attributes: attr_t
        let pair: Int16
        /// True if it changes how a blank looks.
        let showsOnBlanks: Bool

        static let plain = Look(attributes: 0, pair: 0, showsOnBlanks: false)

        init(attributes: attr_t, pair: Int16, showsOnBlanks: Bool) {
            self.attributes = attributes
            self.pair = pair
            self.showsOnBlanks = showsOnBlanks || attributes & (cn_underline() | cn_reverse()) != 0
        }
    }

    /// Nil when the terminal has no colour.
    private let theme: Theme?
    private let attributes: attr_t

    /// The pairs of a surface: text, dim text, accent, unread, warning, code, and then names.
    private static let firstName: Int16 = 6
    private static let most = firstName + Int16(Color.nameCount)

    /// Begins to use colours on the current terminal.
    /// - Returns: their number; 0 if it has none.
    static func begin() -> Int {
        guard has_colors(), start_color() == OK, use_default_colors() == OK, cn_color_count() >= 8 else { return 0 }
        return Int(cn_color_count())
    }

    /// Defines the colours of the current terminal.
    /// - Parameter theme: nil for no colours.
    init(_ theme: Theme?) {
        attributes = term_attrs()
        self.theme = theme
        guard let theme else { return }
        assume_default_colors(Int32(theme.screenInks.text), Int32(theme.background))
        Palette.define(.screen, theme.screenInks, on: theme.background)
        if let selection = theme.selection { Palette.define(.selection, theme.selectedInks, on: selection) }
        if let bar = theme.barBackground { Palette.define(.bar, theme.barInks, on: bar) }
    }

    private static func define(_ surface: Surface, _ inks: Theme.Inks, on background: Int) {
        let first = first(surface)
        let colors = [inks.text, inks.dim ?? inks.text, inks.accent, inks.unread, inks.warning, inks.code] + inks.names
        for (index, color) in colors.prefix(Int(most)).enumerated() {
            init_pair(first + Int16(index), Int16(color), Int16(background))
        }
    }

    /// The first pair of a surface. The pair 0 is plain text on the screen, in ncurses as here.
    private static func first(_ surface: Surface) -> Int16 {
        switch surface {
        case .screen: 1
        case .selection: 1 + most
        case .bar: 1 + 2 * most
        }
    }

    /// Attributes that the terminal lacks are left out; without colour, accents and warnings are bold, and bars are reversed.
    func look(of style: Style) -> Look {
        var style = style
        guard let theme else { return plainLook(of: style) }
        let isBar = style.surface == .bar
        if isBar, theme.barBackground == nil { return reversedLook(of: style) }
        if style.surface == .selection, theme.selection == nil { style.surface = .screen }
        let inks = isBar ? theme.bar : theme.screen
        var index: Int16
        switch style.color {
        case .standard: index = 0
        case .accent: index = 2
        case .unread: index = 3
        case .warning: index = 4
        case .code: index = 5
        case .name(let number):
            let count = inks.names.count
            index = Palette.firstName + Int16(truncatingIfNeeded: (number % count + count) % count)
        }
        if index == 0, style.attributes.contains(.dim), inks.dim != nil {
            index = 1
            style.attributes.remove(.dim)
        }
        let isPlain = index == 0 && style.surface == .screen
        return Look(
            attributes: wanted(style.attributes), pair: isPlain ? 0 : Palette.first(style.surface) + index,
            showsOnBlanks: style.surface != .screen)
    }

    /// The look on a terminal without colour.
    private func plainLook(of style: Style) -> Look {
        var style = style
        switch style.color {
        case .accent, .unread, .warning: style.attributes.insert(.bold)
        case .standard, .code, .name: break
        }
        if style.surface == .bar { return reversedLook(of: Style(.standard, style.attributes)) }
        return Look(attributes: wanted(style.attributes), pair: 0, showsOnBlanks: false)
    }

    /// The look on a reversed bar. A badge, which is reversed elsewhere, is not reversed here, so that it stands out.
    private func reversedLook(of style: Style) -> Look {
        var attributes = style.attributes.subtracting(.dim).symmetricDifference(.reverse)
        if style.color != .standard { attributes.insert(.bold) }
        return Look(attributes: wanted(attributes), pair: 0, showsOnBlanks: true)
    }

    private func wanted(_ attributes: Style.Attributes) -> attr_t {
        var wanted: attr_t = 0
        if attributes.contains(.bold) { wanted |= cn_bold() }
        if attributes.contains(.dim) { wanted |= cn_dim() }
        if attributes.contains(.italic) { wanted |= cn_italic() }
        if attributes.contains(.underline) { wanted |= cn_underline() }
        if attributes.contains(.reverse) { wanted |= cn_reverse() }
        return wanted & self.attributes
    }
}

/// Blanks at the end of the cells filled so far, on which their look does not show. They are drawn plain: a row of
/// blanks is then skipped, and no bytes turn a look on and off. A few blanks between two looks keep the first one,
/// since that takes fewer bytes.
struct HiddenBlanks {
    private static let few = 8

    /// The look of the last character that is not such a blank.
    private var lastLook = Palette.Look.plain
    /// The look that the last blank was given.
    private var givenLook = Palette.Look.plain
    private var count = 0

    mutating func add(_ look: Palette.Look) {
        givenLook = look
        count += 1
    }

    /// Ends the blanks, because another character follows.
    /// - Returns: the number of blanks to draw again, and their look.
    mutating func end(before look: Palette.Look) -> (count: Int, look: Palette.Look) {
        defer { (lastLook, count) = (look, 0) }
        // An underline or a reversed cell would show on the blanks.
        let isShorter = lastLook != .plain && !lastLook.showsOnBlanks && look != .plain && count <= HiddenBlanks.few
        return (isShorter ? count : 0, lastLook)
    }

    /// Turns the last blank into a visible character, because a mark follows.
    /// - Returns: the look in which to draw it again.
    mutating func endWithMark() -> Palette.Look? {
        guard count > 0 else { return nil }
        (lastLook, count) = (givenLook, 0)
        return givenLook
    }
}
