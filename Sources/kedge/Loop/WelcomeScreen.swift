import Display
import Interface
import Settings
import Terminal

import Glibc
import Usage

/// Shows `Welcome` until the user decides.
struct WelcomeScreen {
    enum Outcome {
        case demo, quit, interrupt
        case signal(Int32)
    }

    private let welcome: Welcome

    init(_ welcome: Welcome) { self.welcome = welcome }

    /// - Throws: when the screen cannot be opened.
    func run() throws -> Outcome {
        do {
            return try runOnScreen()
        } catch let error as TerminalError {
            throw CommandError(.usage, error.description)
        }
    }

    private func runOnScreen() throws -> Outcome {
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
                case .terminate(let number): return .signal(number)
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
                case .demo: return .demo
                case .quit: return .quit
                case .interrupt: return .interrupt
                case nil: continue
                }
            }
            if screen.isClosed { return .signal(SIGHUP) }
            let size = screen.updateSize()
            if mustRedraw { screen.drawAnew(welcome.frame(size)) } else { screen.draw(welcome.frame(size)) }
        }
    }
}
