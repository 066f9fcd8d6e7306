/// An action that the user can ask for.
package enum Action: Hashable, Sendable, CaseIterable {
    case up, down, rowUp, rowDown, pageUp, pageDown, halfUp, halfDown, beginning, end
    case find, findBackward, findNext, findPrevious, searchEverywhere, date, share, switcher, back, forward
    case firstUnread, nextUnread
    case thread, leftPane, rightPane
    case activate, copyText, copyLink, openLink, fold, exactTimes, redraw, suspend, help, cancel, interrupt, quit
    // Of a line of text.
    case fieldLeft, fieldRight, fieldStart, fieldEnd, fieldWordLeft, fieldWordRight
    case fieldBackspace, fieldDelete, fieldDeleteWord, fieldDeleteToStart, fieldDeleteToEnd
    // Of a text of several lines.
    case fieldNewLine, fieldYank, fieldUndo, fieldRedo, complete
    // Writing.
    case compose, reply, edit, delete, react, resend
}
