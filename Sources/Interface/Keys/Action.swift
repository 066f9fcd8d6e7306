package import Display

/// An action that the user can ask for. The raw value is its name in `camelCase`, for the settings, the list of
/// commands and the manual page. It must not change, since users have it in their settings.
package enum Action: String, Hashable, Sendable, CaseIterable {
    case up, down, rowUp, rowDown, pageUp, pageDown
    case halfUp = "halfPageUp"
    case halfDown = "halfPageDown"
    case beginning, end
    case find = "search"
    case findBackward = "searchBackward"
    case findNext = "nextMatch"
    case findPrevious = "previousMatch"
    case searchEverywhere
    case toggleScope = "searchHereOrEverywhere"
    case date = "goToDate"
    case share = "goToPercent"
    case switcher = "switchConversation"
    case back, forward, firstUnread
    case nextUnread = "nextUnreadConversation"
    case bookmark, goToBookmark, bookmarks
    case reactions = "whoReacted"
    case versions = "earlierTexts"
    case members, mentions
    case threads = "yourThreads"
    case select
    case writeFile = "writeToFile"
    case markRead, markUnread, mute
    case leave = "leaveRoom"
    case list = "toggleList"
    case previousConversation, nextConversation, conversationByNumber
    case thread, leftPane, rightPane, commands, makeConversation
    case activate = "open"
    case copyText, copyLink, copyAddress, openLink
    case picture = "showPicture"
    case fold, exactTimes, redraw, suspend, help, cancel, interrupt, quit
    // Of a line of text.
    case fieldLeft = "left"
    case fieldRight = "right"
    case fieldStart = "lineStart"
    case fieldEnd = "lineEnd"
    case fieldWordLeft = "wordLeft"
    case fieldWordRight = "wordRight"
    case fieldBackspace = "deletePrevious"
    case fieldDelete = "deleteNext"
    case fieldDeleteWord = "deleteWord"
    case fieldDeleteNextWord = "deleteNextWord"
    case fieldDeleteToStart = "deleteToStart"
    case fieldDeleteToEnd = "deleteToEnd"
    // Of a text of several lines.
    case fieldNewLine = "newLine"
    case fieldYank = "yank"
    case fieldUndo = "undo"
    case fieldRedo = "redo"
    case complete, editor
    // Writing.
    case compose = "write"
    case reply, edit, delete, react
    case resend = "retry"

    /// `row-up` for `rowUp`.
    package var name: String {
        rawValue.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }
}

/// Kinds of actions for input that waits for a loading place (`InputContext`). A new action may belong to one of them.
extension Action {
    /// True if the action uses the message under the cursor.
    var isAboutMessage: Bool {
        switch self {
        case .reply, .edit, .delete, .react, .thread, .activate, .select, .copyText, .copyLink, .copyAddress,
            .openLink, .picture, .fold, .bookmark, .markUnread, .reactions, .versions, .writeFile, .commands:
            true
        default: false
        }
    }

    /// True if the action opens a panel or a line that takes the next keys.
    var opensInput: Bool {
        switch self {
        case .find, .findBackward, .searchEverywhere, .date, .switcher, .bookmark, .goToBookmark, .bookmarks,
            .mentions, .threads, .reactions, .versions, .members, .writeFile, .leave, .commands, .compose, .reply,
            .edit, .delete, .react, .openLink, .copyAddress, .picture:
            true
        default: false
        }
    }
}

/// A command: its name in the settings, its keys, its action and its text in the help, in one place.
package struct Binding: Hashable, Sendable {
    /// Unique among the commands of its context.
    package let name: String
    package let keys: [Key]
    package let action: Action
    package let help: String
    /// A word for the status line; nil for a command that is not shown there.
    let hint: String?
    /// On a narrow screen, hints with a lower rank stay and the others are left out.
    let rank: Int

    /// The columns of the keys in the help.
    static let keyColumns = 18

    /// The keys as the help shows them: `↑  k`; of more than four keys the first and the last, and of long names only as many as
    /// fit.
    package var keyNames: String {
        let names = keys.map(\.description)
        guard let first = names.first else { return "no key" }
        if names.count > 4 { return "\(first) … \(names[names.count - 1])" }
        return names.dropFirst().reduce(first) { all, name in
            all.count + 2 + name.count > Binding.keyColumns ? all : "\(all)  \(name)"
        }
    }

    /// - Parameter name: nil for the name of the action.
    init(_ keys: [Key], _ action: Action, named name: String? = nil, _ help: String, hint: String? = nil, rank: Int = 0)
    {
        (self.name, self.keys, self.action) = (name ?? action.name, keys, action)
        (self.help, self.hint, self.rank) = (help, hint, rank)
    }

    /// The same command with other keys.
    func with(_ keys: [Key]) -> Binding { Binding(keys, action, named: name, help, hint: hint, rank: rank) }
}
