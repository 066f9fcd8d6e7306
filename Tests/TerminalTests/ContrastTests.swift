import Glibc
import Testing

@testable import Terminal

/// Names are readable on a black screen and on a white one.
struct ContrastTests {
    @Test func `Each of the 256 colours in use has a contrast of 3 to black and to white`() {
        let colors = Palette.manyColors
        for number in colors.names + [colors.accent, colors.warning] {
            let light = Self.luminance(Int(number))
            #expect((light + 0.05) / 0.05 >= 3, "\(number) on black")
            #expect(1.05 / (light + 0.05) >= 3, "\(number) on white")
        }
        #expect(Set(colors.names).count == colors.names.count)
        #expect(!colors.names.contains(colors.accent), "one's own name is told from the others")
    }

    /// Relative luminance as WCAG 2 defines it.
    private static func luminance(_ number: Int) -> Double {
        let (red, green, blue) = rgb(number)
        func linear(_ value: Int) -> Double {
            let share = Double(value) / 255
            return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// xterm's colours for the numbers from 16 on: a cube of colours, and greys.
    private static func rgb(_ number: Int) -> (Int, Int, Int) {
        if number >= 232 {
            let grey = 8 + (number - 232) * 10
            return (grey, grey, grey)
        }
        let levels = [0, 95, 135, 175, 215, 255]
        let index = number - 16
        return (levels[index / 36], levels[index / 6 % 6], levels[index % 6])
    }
}
