import CNcurses
import Display
import Testing

extension TerminalTests {
    @Suite
    struct WidthTests {
        @Test func `ncurses gives each scrubbed scalar the same columns as Display`() throws {
            Width.prepare()
            let input = try #require(fopen("/dev/null", "r"))
            let output = try #require(fopen("/dev/null", "w"))
            let terminal = try #require(newterm("xterm-256color", output, input))
            defer {
                endwin()
                delscreen(terminal)
                fclose(input)
                fclose(output)
            }
            let window = try #require(newwin(2, 10, 0, 0))
            defer { delwin(window) }
            var cell = cchar_t()
            var checked = 0
            for value in UInt32(0x20)...0x10FFFF {
                guard let scalar = Unicode.Scalar(value) else { continue }
                let text = CleanText("a" + String(Character(scalar)))
                guard text.string.unicodeScalars.last == scalar, text.string.unicodeScalars.count == 2 else { continue }
                checked += 1
                wmove(window, 0, 0)
                for (index, part) in text.string.unicodeScalars.enumerated() {
                    cn_set_cell(&cell, part.value, 0, 0)
                    let status = wadd_wch(window, &cell)
                    if status != OK { Issue.record("U+\(String(value, radix: 16)) is refused at \(index)") }
                }
                if getcurx(window) != text.columns {
                    Issue.record("U+\(String(value, radix: 16)): \(getcurx(window)), not \(text.columns)")
                }
            }
            #expect(checked > 200_000)
        }
    }
}
