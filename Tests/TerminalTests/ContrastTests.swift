import Display
import Glibc
import Testing

@testable import Terminal

/// All text is readable on its background.
struct ContrastTests {
    private typealias Case = (name: Theme.Name, background: RGB?, least: Double, paper: [RGB])

    /// Themes with the backgrounds of terminals in use, and the least contrast to them.
    private static let cases: [Case] = [
        (.auto, nil, 3, [RGB(0, 0, 0), RGB(255, 255, 255)]),
        (.dark, nil, 4.5, []),
        (.dark, RGB(0, 0, 0), 4.5, [RGB(0, 0, 0)]),
        (.dark, RGB(255, 255, 255), 4.5, []),
        (.auto, RGB(40, 42, 54), 4, [RGB(40, 42, 54)]),
        (.auto, RGB(0, 43, 54), 4, [RGB(0, 43, 54)]),
        (.light, nil, 4.5, []),
        (.light, RGB(255, 255, 255), 4.5, [RGB(255, 255, 255)]),
        (.light, RGB(0, 0, 0), 4.5, []),
        (.auto, RGB(253, 246, 227), 4.5, [RGB(253, 246, 227)]),
        (.highContrast, nil, 7, []),
    ]

    @Test func `Every colour of the themes has enough contrast to every background that it stands on`() {
        for (name, background, least, paper) in Self.cases {
            let theme = Theme(name, background: background, count: 256)
            let own = theme.background == Theme.standard ? nil : RGB(number: theme.background)
            let selection = theme.selection.map { RGB(number: $0) }
            for screen in (own.map { [$0] } ?? paper) + [selection].compactMap(\.self) {
                for ink in Self.all(screen == selection ? theme.selectedInks : theme.screenInks) {
                    #expect(Self.contrast(RGB(number: ink), screen) >= least * 0.85, "\(name) \(ink) on \(screen)")
                }
            }
            for ink in [theme.bar.accent, theme.bar.unread, theme.bar.warning] + Self.plain(theme.barInks) {
                let bar = RGB(number: theme.barBackground ?? 16)
                #expect(Self.contrast(RGB(number: ink), bar) >= min(3.4, least), "\(name) \(ink) on the bar \(bar)")
            }
        }
    }

    @Test func `No theme leaves the text of the terminal on a background of its own`() {
        for name in Theme.Name.allCases {
            for background in [nil, RGB(0, 0, 0), RGB(255, 255, 255)] {
                let theme = Theme(name, background: background, count: 256)
                let own = Theme.standard
                #expect(theme.background == own || theme.screenInks.text != own, "\(name)")
                #expect(theme.selection == nil || theme.selectedInks.text != own, "\(name)")
                #expect(theme.barBackground == nil || theme.barInks.text != own, "\(name)")
            }
        }
    }

    @Test func `A dark or a light theme has its own background unless the terminal says that it is of that kind`() {
        let (black, white) = (RGB(0, 0, 0), RGB(255, 255, 255))
        for (name, fitting, other) in [(Theme.Name.dark, black, white), (.light, white, black)] {
            for background in [nil, other] {
                let theme = Theme(name, background: background, count: 256)
                #expect(theme.background != Theme.standard, "\(name) on \(String(describing: background))")
                #expect(RGB(number: theme.background).isLight == (name == .light))
                #expect(Set([theme.background, theme.selection, theme.barBackground]).count == 3)
            }
            #expect(Theme(name, background: fitting, count: 256).background == Theme.standard)
            #expect(Theme(.auto, background: fitting, count: 256).background == Theme.standard)
        }
    }

    @Test func `A background of the settings gets black or white text, and default is that of the terminal`() {
        for (text, expected) in [("#102030", 255), ("#f0f0e0", 16), ("default", Theme.standard)] {
            var changes = ThemeChanges()
            let isSet = changes.set(.background, to: text)
            #expect(isSet)
            #expect(Theme(.dark, background: nil, count: 256, changes: changes).screenInks.text == expected, "\(text)")
        }
    }

    @Test func `A terminal with few colours gets the theme of 16, whatever was asked for`() {
        let few = Theme(.sixteen, background: nil, count: 256)
        for name in Theme.Name.allCases { #expect(Theme(name, background: RGB(0, 0, 0), count: 8) == few) }
        #expect(Self.all(few.screen).allSatisfy { $0 < 8 })
    }

    @Test func `Selection and mentions differ, and so do the names of people and that of the user`() {
        for name in Theme.Name.allCases {
            let inks = Theme(name, background: nil, count: 256).screen
            #expect(inks.accent != inks.unread, "\(name)")
            #expect(name == .sixteen || !inks.names.contains(inks.accent), "\(name)")
            #expect(Set(inks.names).count == inks.names.count, "\(name)")
        }
    }

    @Test func `Settings change single colours, where the terminal has them`() {
        var changes = ThemeChanges()
        let good: [(ThemeChanges.Role, String)] = [
            (.accent, "208"), (.bar, "blue"), (.names, "1 #ff8700"), (.selection, "default"),
        ]
        for (role, text) in good {
            let isSet = changes.set(role, to: text)
            #expect(isSet, "\(text)")
        }
        for text in ["256", "reddish", "1 2", "", "#ff87"] {
            let isSet = changes.set(.code, to: text)
            #expect(!isSet, "\(text)")
        }
        let theme = Theme(.dark, background: nil, count: 256, changes: changes)
        #expect(theme.screen.accent == 208 && theme.bar.accent == 208 && theme.barBackground == 4)
        #expect(theme.screen.names == [1, 208])
        #expect(theme.selection == Theme.standard)
        let few = Theme(.dark, background: nil, count: 8, changes: changes)
        #expect(few.screen.accent == Theme(.sixteen, background: nil, count: 8).screen.accent)
        #expect(few.screen.names == [1])
    }

    private static func plain(_ inks: Theme.Inks) -> [Int] {
        [inks.text, inks.dim].compactMap(\.self).filter { $0 != Theme.standard }
    }

    private static func all(_ inks: Theme.Inks) -> [Int] {
        plain(inks) + [inks.accent, inks.unread, inks.warning, inks.code] + inks.names
    }

    private static func contrast(_ ink: RGB, _ paper: RGB) -> Double {
        let (a, b) = (luminance(ink), luminance(paper))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// Relative luminance as WCAG 2 defines it.
    private static func luminance(_ color: RGB) -> Double {
        func linear(_ value: Int) -> Double {
            let share = Double(value) / 255
            return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
}
