import Testing

/// ncurses is not thread-safe, so all tests that use it are in here, and run one after another.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct TerminalTests {}
