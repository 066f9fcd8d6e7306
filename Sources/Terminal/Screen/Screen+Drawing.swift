internal import CNcurses
package import Display

extension Screen {
    /// Shows a frame. ncurses finds the differences and sends only those.
    package mutating func draw(_ frame: Frame) {
        select()
        let cells = UnsafeMutablePointer<cchar_t>.allocate(capacity: size.columns)
        defer { cells.deallocate() }
        for row in 0..<size.rows {
            let isCut = cutsBeforeLastCell && row == size.rows - 1
            let line = row < frame.lines.count ? frame.lines[row] : .empty
            let count = fill(cells, with: line, unsafeEnd: isCut ? size.columns - 1 : nil)
            wmove(window, Int32(row), 0)
            // This neither wraps nor scrolls, so the last cell of the last row can be drawn too.
            wadd_wchnstr(window, cells, Int32(count))
        }
        place(frame.cursor)
        wnoutrefresh(window)
        guard cn_begin_output() else { return }
        removePicture(for: frame.picture)
        doupdate()
        show(frame.picture)
        // Comes after the first frame, which it would only delay.
        if !isReporting {
            turnReports(on: true)
            isReporting = true
            if keyboard.isKnown, !keyboard.isOn {
                keyboard.isOn = true
                prepareFarewell()
            }
            if !hasAsked {
                // First, since then the report of the background says that none of the keyboard will come.
                askForKeyboard()
                askForBackground()
            }
            hasAsked = true
        }
        _ = cn_end_output()
    }

    /// Shows a frame on a screen of unknown contents: after another program has written to it or changed its modes.
    package mutating func drawAnew(_ frame: Frame) {
        select()
        guard cn_begin_output() else { return }
        removePicture(for: nil)
        shownPicture = nil
        cn_hold_terminal(true)
        reset_prog_mode()
        guard cn_end_output() else { return }
        cn_forget_screen()
        endLineDrawing()
        isReporting = false
        draw(frame)
    }

    private func place(_ cursor: ScreenPosition?) {
        if let cursor, cursor.row < size.rows, cursor.column < size.columns {
            leaveok(window, false)
            wmove(window, Int32(cursor.row), Int32(cursor.column))
            curs_set(1)
        } else {
            // A hidden cursor may stay where it is, which saves the bytes to move it.
            leaveok(window, true)
            curs_set(0)
        }
    }

    /// Fills a cell for each cluster, and blanks to the end of the row. Returns the number of cells.
    /// - Parameter unsafeEnd: a column at which no wide character may end; where one would, the row is cut.
    private func fill(_ cells: UnsafeMutablePointer<cchar_t>, with line: Line, unsafeEnd: Int?) -> Int {
        var count = 0
        var column = 0
        var blanks = HiddenBlanks()
        spans: for span in line.spans {
            let look = palette.look(of: span.style)
            for scalar in (joinsCells ? span.text.apart : span.text.string).unicodeScalars {
                let width = Width.columns(of: scalar)
                if width == 0 && count > 0 {
                    if !isUTF8 { continue }
                    if let look = blanks.endWithMark() { set(cells + (count - 1), " ", look) }
                    cn_add_mark(cells + (count - 1), scalar.value)
                } else if width < 1 || column + width > size.columns || width == 2 && column + width == unsafeEnd {
                    // A cluster that exceeds the edge is cut; a whole blank takes the place of half a character.
                    break spans
                } else {
                    if scalar == " ", !look.showsOnBlanks {
                        blanks.add(look)
                        set(cells + count, scalar, .plain)
                    } else {
                        let anew = blanks.end(before: look)
                        for index in count - anew.count..<count { set(cells + index, " ", anew.look) }
                        if isUTF8 || scalar.isASCII {
                            set(cells + count, scalar, look)
                        } else {
                            count += setSubstitute(for: scalar, width, at: cells + count, look) - 1
                        }
                    }
                    count += 1
                    column += width
                }
            }
        }
        while column < size.columns {
            set(cells + count, " ", .plain)
            count += 1
            column += 1
        }
        return count
    }

    /// Puts ASCII characters of the same width in the place of another character.
    /// - Returns: their number.
    private func setSubstitute(
        for scalar: Unicode.Scalar, _ width: Int, at cells: UnsafeMutablePointer<cchar_t>, _ look: Palette.Look
    ) -> Int {
        for index in 0..<width { set(cells + index, Substitutes.ascii(scalar), look) }
        return width
    }

    private func set(_ cell: UnsafeMutablePointer<cchar_t>, _ scalar: Unicode.Scalar, _ look: Palette.Look) {
        cn_set_cell(cell, scalar.value, look.attributes, look.pair)
    }
}

/// Blanks at the end of the cells filled so far, on which their look does not show. They are drawn plain: a row of
/// blanks is then skipped, and no bytes turn a look on and off. A few blanks between two looks keep the first one,
/// since that takes fewer bytes.
private struct HiddenBlanks {
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
    /// - Returns: how many of them to draw again, and in which look.
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
