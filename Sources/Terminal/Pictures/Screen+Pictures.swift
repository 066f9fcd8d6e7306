internal import CNcurses
internal import Display

extension Screen {
    /// The terminal's way to show pictures; nil as long as it is not known.
    package var pictureSupport: PictureSupport? { pictureInquiry.support }

    /// Asks the terminal whether it shows pictures, unless it was asked before. Only then: whoever looks at no picture pays for
    /// no question.
    package mutating func askForPictures(through multiplexer: Multiplexer?, at now: ContinuousClock.Instant = .now) {
        guard pictureInquiry.asked == nil, pictureInquiry.support == nil else { return }
        decoder.awaitsGraphics = multiplexer == nil
        send(pictureInquiry.begin(cell: reportedCell, isDirect: multiplexer == nil, at: now))
    }

    /// The size of a cell by the terminal's size in pixels; nil when the system does not know it.
    private var reportedCell: PixelSize? {
        var (width, height): (Int32, Int32) = (0, 0)
        guard cn_terminal_pixels(outputDescriptor, &width, &height) else { return nil }
        let cell = PixelSize(width: Int(width) / max(1, size.columns), height: Int(height) / max(1, size.rows))
        return cell.width > 0 && cell.height > 0 ? cell : nil
    }

    mutating func takeReports(at now: ContinuousClock.Instant) {
        for report in decoder.takeReports() {
            if report == .keyboard { useKeyboardProtocol() } else { pictureInquiry.take(report) }
        }
        pictureInquiry.end(at: now)
        if pictureInquiry.asked == nil { decoder.awaitsGraphics = false }
    }

    /// Removes the picture on the screen, if another one or none is to be there. Call this between `cn_begin_output` and
    /// `cn_end_output`, before ncurses draws.
    func removePicture(for next: PlacedPicture?) {
        guard let shown = shownPicture, shown != next else { return }
        if shown.picture.isKitty {
            write(Picture.kittyRemoval)
        } else {
            // ncurses knows nothing of the sixels, and takes their cells for blank.
            cn_forget_screen()
        }
    }

    /// Draws a picture over what ncurses has drawn. Call this between `cn_begin_output` and `cn_end_output`.
    mutating func show(_ picture: PlacedPicture?) {
        if let picture, picture != shownPicture { write(picture.sequence) }
        shownPicture = picture
    }
}
