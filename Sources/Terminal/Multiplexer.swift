/// A program between this one and the terminal, which does not pass on sequences that it does not know.
package enum Multiplexer: Hashable, Sendable {
    case tmux
    case screen

    /// By the variables that it sets. TERM alone is there when it runs on the user's own machine, as over ssh.
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
