import Testing

/// ncurses is not thread-safe, so all that uses it is here, one after another.
@Suite("Terminal", .serialized, .timeLimit(.minutes(30)))
struct TerminalTests {}
