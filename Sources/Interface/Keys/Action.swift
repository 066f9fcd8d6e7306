/// An action that the user can ask for. The raw value is its name in `camelCase`, for the settings, the list of commands and the
/// manual page: it must not change, since settings of users have it.
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
