/// The commands of other programs that do what one of Kedge's does.
enum ForeignCommand {
    /// The command of Kedge, and what it is for; nil for any other word.
    static func advice(for name: String) -> String? {
        switch name.lowercased() {
        case "grep", "rg", "ack", "ag", "egrep", "find", "query": "`kedge search` finds messages"
        case "ls", "ll", "dir", "conversations", "channels", "rooms", "chats", "buffers":
            "`kedge list` lists the conversations"
        case "tail", "head", "log", "logs", "history", "last":
            "`kedge show CONVERSATION --last 20` prints the last messages"
        case "cat", "dump", "print": "`kedge export CONVERSATION --format text` prints a conversation"
        case "view", "less", "more", "read", "go", "join", "goto": "`kedge open CONVERSATION` opens a conversation"
        case "say", "msg", "message", "post", "write", "reply": "`kedge send CONVERSATION TEXT` sends a message"
        case "mkdir", "create", "add", "make": "`kedge new TITLE` makes a conversation"
        case "count", "wc", "statistics": "`kedge stats CONVERSATION` counts messages"
        case "settings", "set", "preferences": "`kedge config` prints the settings"
        case "reindex", "rebuild": "`kedge index --rebuild` builds a new index"
        case "fsck", "verify", "validate":
            "`kedge index --check` checks an archive, `kedge check` an export"
        case "man", "usage", "keys": "`kedge --help` lists the commands, and h in `kedge open` the keys"
        case "version": "`kedge --version` prints the version"
        default: nil
        }
    }
}
