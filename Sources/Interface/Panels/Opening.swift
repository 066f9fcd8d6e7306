import Messages
import Timeline

/// Opens the lists and questions of keys and of components.
extension Layers {
    mutating func ask(_ question: Outcome.Question) {
        switch question {
        case .link(let numbers, let number): ask(LinkPrompt(numbers, number: number))
        case .invitation(let invitation): ask(InvitationPrompt(invitation: invitation))
        case .risk(let reason, let path): ask(Permission.toOpen(path, despite: reason))
        case .replace(let file, let range): ask(Permission.toReplace(file, by: range))
        case .deletion(let message): ask(Permission.toDelete(message))
        case .leaving(let conversation): ask(Permission.toLeave(conversation))
        case .date: ask(DatePrompt())
        case .reaction(let message, let others): ask(ReactionPalette(target: message, others: others))
        }
    }

    /// Opens the list or the question of an action.
    mutating func act(_ action: Action, in context: Context) -> [Outcome] {
        switch action {
        case .commands:
            open(CommandSheet(context.keymap))
            return []
        case .bookmarks:
            return [.list(.loadTitles), .effect(.bookmarks(.none))]
                + open(BookmarkList(all: context.bookmarks), in: context)
        case .mentions: return openOwn(.mentions, in: context)
        case .threads: return openOwn(.threads, in: context)
        case .reactions: return openReactions(in: context)
        case .versions: return openVersions(in: context)
        case .members:
            return context.conversation.map { open(MemberSheet($0, context.members), in: context) } ?? []
        case .writeFile:
            guard let range = context.pane.markedRange else { return [.tell("no message is selected")] }
            ask(FilePrompt(range))
        case .bookmark:
            guard let message = context.pane.selectedMessage else { return [.tell("no message is selected")] }
            ask(BookmarkPrompt(message: message.id))
        case .goToBookmark:
            ask(BookmarkJumpPrompt())
            return [.stayHere, .effect(.bookmarks(.none))]
        default: return []
        }
        return [.stayHere]
    }

    private mutating func open(_ sheet: some Sheet, in context: Context) -> [Outcome] {
        open(sheet)
        return [.stayHere] + inSheet { $0.begin(in: context) }
    }

    private mutating func openReactions(in context: Context) -> [Outcome] {
        guard let message = context.pane.selectedMessage, let id = context.conversation?.id else { return [] }
        let people = context.readers.people(whoHaveRead: message.id, in: context.pane)
        guard !message.reactions.isEmpty || !people.isEmpty else {
            let unknown = context.readers.isEmpty ? "" : ", and who has read it is not known"
            return [.tell("nobody has reacted to this message\(unknown)")]
        }
        return open(ReactionSheet(message, readBy: people, in: id), in: context)
    }

    private mutating func openVersions(in context: Context) -> [Outcome] {
        guard let message = context.pane.selectedMessage, let id = context.conversation?.id else { return [] }
        if message.isDeleted { return [.tell("this message is deleted; its texts are not shown")] }
        if !message.isEdited { return [.tell("this message was never edited")] }
        return open(VersionSheet(message, in: id), in: context)
    }

    private mutating func openOwn(_ kind: OwnPlaces.Kind, in context: Context) -> [Outcome] {
        guard let me = context.own else {
            return [.tell("Kedge doesn't know who you are: use --as ID or set me = \"ID\" in config.toml")]
        }
        return [.list(.loadTitles)] + open(OwnPlacesSheet(kind, of: me, read: context.reading.states), in: context)
    }
}
