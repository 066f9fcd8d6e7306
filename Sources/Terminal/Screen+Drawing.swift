internal import CNcurses
package import Display

extension Screen {
    /// Shows a frame. ncurses finds what is different and sends only that.
    package mutating func draw(_ frame: Frame) {
        select()
        let cells = UnsafeMutablePointer<cchar_t>.allocate(capacity: size.columns)
        defer { cells.deallocate() }
        for row in 0..<size.rows {
            let isCut = cutsBeforeLastCell && row == size.rows - 1
            let line = row < frame.lines.count ? frame.lines[row] : .empty
            let count = fill(cells, with: line, unsafeEnd: isCut ? size.columns - 1 : nil)
            wmove(window, Int32(row), 0)
            // Neither wraps nor scrolls, so that the last cell of the last row can be drawn too.
            wadd_wchnstr(window, cells, Int32(count))
        }
        place(frame.cursor)
        wnoutrefresh(window)
        doupdate()
        // Not before the first frame: until signals are watched, a signal makes ncurses itself give the terminal back, and
        // it knows of no mouse.
        if !isMouseOn {
            turnMouse(on: true)
            isMouseOn = true
        }
    }

    /// Shows a frame on a screen of which nothing is known: after another program wrote on it, or changed its modes.
    package mutating func drawAnew(_ frame: Frame) {
        select()
        reset_prog_mode()
        cn_forget_screen()
        isMouseOn = false
        draw(frame)
    }

    private func place(_ cursor: ScreenPosition?) {
        if let cursor, cursor.row < size.rows, cursor.column < size.columns {
            leaveok(window, false)
            wmove(window, Int32(cursor.row), Int32(cursor.column))
            curs_set(1)
        } else {
            // Hidden, it may stay where it is: that saves the bytes to move it.
            leaveok(window, true)
            curs_set(0)
        }
    }

    /// A cell for each cluster, and blanks to the end of the row. Answers with the number of clusters.
    /// - Parameter unsafeEnd: a column at which no wide character may end; where one would, the row is cut.
    private func fill(_ cells: UnsafeMutablePointer<cchar_t>, with line: Line, unsafeEnd: Int?) -> Int {
        var count = 0
        var column = 0
        spans: for span in line.spans {
            let (attributes, pair) = palette.look(of: span.style)
            for scalar in span.text.string.unicodeScalars {
                let width = Width.columns(of: scalar)
                if width == 0 && count > 0 {
                    cn_add_mark(cells + (count - 1), scalar.value)
                } else if width < 1 || column + width > size.columns || width == 2 && column + width == unsafeEnd {
                    // What sticks out at the edge is cut; a whole blank takes the place of half a character.
                    break spans
                } else {
                    cn_set_cell(cells + count, scalar.value, attributes, pair)
                    count += 1
                    column += width
                }
            }
        }
        while column < size.columns {
            cn_set_cell(cells + count, 0x20, 0, 0)
            count += 1
            column += 1
        }
        return count
    }
}
