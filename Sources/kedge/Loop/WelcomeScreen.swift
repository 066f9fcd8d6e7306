import Display
import Interface
import Settings
import Terminal

import Glibc
import Usage

/// Shows `Welcome` until the user decides.
struct WelcomeScreen {
    private let welcome: Welcome

    init(_ welcome: Welcome) { self.welcome = welcome }

    /// - Returns: true for the demo, false to leave.
    /// - Throws: when the screen cannot be opened, and when the program is interrupted.
    func opensDemo() throws -> Bool {
        let signals = try SignalPipe()
        let theme = ThemeSettings(Config.ofUser.theme, changes: Config.ofUser.colors)
        var screen = try Screen(
            color: Output.allowsColor, theme: theme, kind: try .ofEnvironment(), watching: signals,
            environment: Environment.variables)
        screen.draw(welcome.frame(screen.size))
        while true {
            var polled = [screen.inputDescriptor, signals.fileDescriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let limit = screen.inputDeadline.map { EventLoop.milliseconds(max(.zero, $0 - .now)) }
            _ = poll(&polled, nfds_t(polled.count), limit ?? -1)
            var mustRedraw = false
            for signal in signals.pending() {
                switch signal {
                case .terminate(let number): throw CommandError(signal: number)
                case .resize: _ = screen.updateSize()
                case .stop:
                    screen.suspend()
                    mustRedraw = true
                case .continued: mustRedraw = true
                }
            }
            for input in screen.readInput() {
                if input == .key(.control("z")) {
                    screen.suspend()
                    mustRedraw = true
                }
                switch welcome.choice(for: input) {
                case .demo: return true
                case .quit: return false
                case .interrupt: throw CommandError.interrupted
                case nil: continue
                }
            }
            if screen.isClosed { throw CommandError(signal: SIGHUP) }
            let size = screen.updateSize()
            if mustRedraw { screen.drawAnew(welcome.frame(size)) } else { screen.draw(welcome.frame(size)) }
        }
    }
}
