/// A program between this one and the terminal, which keeps sequences that it does not know to itself.
package enum Multiplexer: Hashable, Sendable {
    case tmux
    case screen

    /// By what they put into the environment. TERM alone is there when only the far end of a line, as by ssh, runs in one.
    package init?(environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        if environment["TMUX"]?.isEmpty == false {
            self = .tmux
        } else if environment["STY"]?.isEmpty == false {
            self = .screen
        } else if term.hasPrefix("tmux") {
            self = .tmux
        } else if term.hasPrefix("screen") {
            self = .screen
        } else {
            return nil
        }
    }
}
