// The effects of the commands for the terminal.

extension VirtualScreen {
    mutating func obey(_ control: UInt8) {
        switch control {
        case 0x08: move(row, column - 1)
        case 0x09: move(row, min(columns - 1, (column / 8 + 1) * 8))
        case 0x0A, 0x0B, 0x0C:
            isWrapPending = false
            lineFeed()
        case 0x0D: move(row, 0)
        default: break
        }
    }

    mutating func escape(_ final: UInt8) {
        isWrapPending = false
        switch final {
        case UInt8(ascii: "7"): saved = (row, column)
        case UInt8(ascii: "8"): move(saved.row, saved.column)
        case UInt8(ascii: "D"): lineFeed()
        case UInt8(ascii: "E"):
            lineFeed()
            column = 0
        case UInt8(ascii: "M"): reverseLineFeed()
        case UInt8(ascii: "c"):
            eraseAll()
            move(0, 0)
            region = 0...(rows - 1)
        default: break
        }
    }

    mutating func obey(_ sequence: ControlSequence) {
        if sequence.mark != 0 || sequence.intermediate != 0 { return obeyPrivate(sequence) }
        let count = sequence.parameter(0)
        switch sequence.final {
        case UInt8(ascii: "A"): move(row - count, column)
        case UInt8(ascii: "B"), UInt8(ascii: "e"): move(row + count, column)
        case UInt8(ascii: "C"), UInt8(ascii: "a"): move(row, column + count)
        case UInt8(ascii: "D"): move(row, column - count)
        case UInt8(ascii: "E"): move(row + count, 0)
        case UInt8(ascii: "F"): move(row - count, 0)
        case UInt8(ascii: "G"), UInt8(ascii: "`"): move(row, count - 1)
        case UInt8(ascii: "d"): move(count - 1, column)
        case UInt8(ascii: "H"), UInt8(ascii: "f"): move(count - 1, sequence.parameter(1) - 1)
        case UInt8(ascii: "I"): move(row, (column / 8 + count) * 8)
        case UInt8(ascii: "Z"): move(row, ((column + 7) / 8 - count) * 8)
        case UInt8(ascii: "s"): saved = (row, column)
        case UInt8(ascii: "u"): move(saved.row, saved.column)
        case UInt8(ascii: "r"): setRegion(sequence)
        case UInt8(ascii: "c"): answer("\u{1B}[?62;22c")
        case UInt8(ascii: "n"):
            answer(sequence.parameter(0, default: 0) == 6 ? "\u{1B}[\(row + 1);\(column + 1)R" : "\u{1B}[0n")
        default: change(sequence, count)
        }
    }

    /// Sequences that change cells. Colours (`m`) and modes (`h`, `l`) change none.
    private mutating func change(_ sequence: ControlSequence, _ count: Int) {
        switch sequence.final {
        case UInt8(ascii: "@"): insertCells(count)
        case UInt8(ascii: "P"): deleteCells(count)
        case UInt8(ascii: "X"):
            account(row: row, column: column)
            erase(row, column..<min(columns, column + count))
        case UInt8(ascii: "J"): eraseDisplay(sequence.parameter(0, default: 0))
        case UInt8(ascii: "K"): eraseRow(sequence.parameter(0, default: 0))
        case UInt8(ascii: "L"): if region.contains(row) { scroll(row...region.upperBound, by: -count) }
        case UInt8(ascii: "M"): if region.contains(row) { scroll(row...region.upperBound, by: count) }
        case UInt8(ascii: "S"): scroll(region, by: count)
        case UInt8(ascii: "T"): scroll(region, by: -count)
        case UInt8(ascii: "b"): repeatLast(min(count, columns * rows))
        default: break
        }
    }

    private mutating func obeyPrivate(_ sequence: ControlSequence) {
        switch (sequence.mark, sequence.final) {
        case (UInt8(ascii: ">"), UInt8(ascii: "c")): answer("\u{1B}[>0;10;1c")
        case (UInt8(ascii: "?"), UInt8(ascii: "h")), (UInt8(ascii: "?"), UInt8(ascii: "l")):
            // The other screen, which begins and ends empty.
            if [47, 1047, 1049].contains(sequence.parameter(0, default: 0)) { eraseAll() }
        default: break
        }
    }

    mutating func move(_ row: Int, _ column: Int) {
        self.row = min(max(0, row), rows - 1)
        self.column = min(max(0, column), columns - 1)
        isWrapPending = false
    }

    private mutating func setRegion(_ sequence: ControlSequence) {
        let top = sequence.parameter(0) - 1
        let bottom = min(rows, sequence.parameter(1, default: rows)) - 1
        guard top < bottom else { return }
        region = top...bottom
        move(0, 0)
    }

    private mutating func eraseRow(_ kind: Int) {
        account(row: row, column: column)
        erase(row, kind == 0 ? column..<columns : kind == 1 ? 0..<column + 1 : 0..<columns)
    }

    private mutating func eraseDisplay(_ kind: Int) {
        if kind >= 2 { return eraseAll() }
        accountForContent()
        erase(row, kind == 0 ? column..<columns : 0..<column + 1)
        for other in kind == 0 ? row + 1..<rows : 0..<row { erase(other, 0..<columns) }
    }

    private mutating func eraseAll() {
        accountForContent()
        for row in 0..<rows { erase(row, 0..<columns) }
    }
}
