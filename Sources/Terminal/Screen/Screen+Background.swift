internal import CNcurses
internal import Display

/// The terminal is asked for its background once, after the first frame. It may never reply.
extension Screen {
    /// After this time the colours stay as they are, since the user is reading by then.
    private static var backgroundLimit: Duration { .seconds(1) }
    /// The wait at the end for a report that is on its way: the shell would take it for typed text.
    private static var lateReportMilliseconds: Int32 { 100 }

    /// OSC 11. Terminals that do not know it ignore it.
    private static var question: String { "\u{1B}]11;?\u{07}" }

    /// Call this between `cn_begin_output` and `cn_end_output`.
    mutating func askForBackground() {
        guard wantsBackground else { return }
        askedForBackground = .now
        write(Array(Screen.question.utf8))
    }

    /// Uses the background that the terminal has reported.
    mutating func takeBackground(at now: ContinuousClock.Instant) {
        guard let background = decoder.takeBackground(), let asked = askedForBackground else { return }
        (askedForBackground, keyboard.asked) = (nil, nil)
        if now - asked <= Screen.backgroundLimit { use(background: background) }
    }

    /// Reads a report that has not come yet, so that it does not reach the shell.
    func takeLateReport() {
        let asked = [askedForBackground, pictureInquiry.asked, keyboard.asked].compactMap(\.self)
        guard asked.contains(where: { .now - $0 <= Screen.backgroundLimit }), !isClosed else { return }
        var request = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Screen.lateReportMilliseconds) > 0 else { return }
        tcflush(inputDescriptor, TCIFLUSH)
    }
}
