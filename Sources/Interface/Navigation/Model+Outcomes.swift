import Messages
import Timeline

/// Carries out the wishes of components. Only here does one component reach another.
extension Model {
    mutating func carryOut(_ outcomes: [Outcome]?) -> [Effect] { (outcomes ?? []).flatMap { carryOut($0) } }

    private mutating func carryOut(_ outcome: Outcome) -> [Effect] {
        switch outcome {
        case .typed: inputState.isTyping = true
        case .close: panel = nil
        case .closeHelp: help = nil
        case .perform(let action): return perform(action)
        case .tell(let text): tell(text)
        case .warn(let text): warn(text)
        case .effect(let effect):
            if case .stopLoadingConversations = effect { sidebar.isLoading = false }
            return [effect]
        case .askForLink(let numbers, let number): ask(LinkPrompt(numbers, number: number))
        case .stay: finding.giveUp()
        case .lost: dropHeld()
        case .go(let destination, let conversation, let leaving):
            guard let conversation = conversation ?? self.conversation else { return [] }
            return go(to: destination, in: conversation, leaving: leaving)
        case .goTo(let message, let conversation):
            return go(toMain: message, in: conversation)
        case .goToShare(let position, let leaving): return go(toShare: position, leaving: leaving)
        case .openConversation(let conversation): return open(conversation)
        case .listConversations: return [loadSummaries()]
        case .toggleScope: return toggleScope()
        case .toggleThread: return toggleThread()
        case .open(let openable): return open(openable)
        case .showPictures(let files, let message): return showPictures(files, of: message)
        case .delete(let message): return delete(message)
        case .react(let emoji, let message): return react(emoji, to: message)
        case .fold(let message, let isFolded):
            if let conversation { trail.folds[conversation.id, default: [:]][message] = isFolded }
        case .locate: return askForPlace()
        case .unreadLine(let first): reading.firstUnread = first
        case .reread(let hasMoved): return carryOut(finding.lookAgain(hasMoved: hasMoved, in: context))
        case .find(let wish): return carryOut(wish)
        case .compose(let wish): return carryOut(wish)
        case .searchFor(let words): return search(for: words)
        case .bookmark(let wish): return carryOut(wish)
        case .mark(let mark, let id): return self.mark(mark, id)
        case .begin(let task): return begin(task)
        case .mute(let id): return toggleMute(id)
        case .answer(let invitation): ask(InvitationPrompt(invitation))
        case .join(let address, let name): return join(address, name: name)
        case .followMove(let side): return followMove(side)
        case .ask(let question):
            hasAsked = true
            return [.askForSheet(sheets, question)]
        }
        return []
    }

    /// Opens a conversation where the user has left it; for the first time at its newest message.
    private mutating func open(_ chosen: Conversation) -> [Effect] {
        sidebar.isLoading = false
        return [.stopLoadingConversations] + visit(chosen)
    }

    mutating func visit(_ chosen: Conversation) -> [Effect] {
        dropPending()
        guard chosen.id != conversation?.id else { return [] }
        let destination = trail.leftAt[chosen.id].map { ListRequest.Destination.place($0) } ?? .position(.latest)
        return go(to: destination, in: chosen)
    }

    private mutating func open(_ openable: Openable) -> [Effect] {
        guard let conversation else { return [] }
        tell("opening \(openable.name)")
        switch openable {
        case .link(let address): return [.openLink(address)]
        case .file(let attachment, let message):
            return find(MessageFile(attachment, of: message, in: conversation.id))
        }
    }

    private mutating func showPictures(_ files: [Attachment], of message: MessageID) -> [Effect] {
        guard let conversation else { return [] }
        dropPending()
        panel = .picture
        return carryOut(pictures.open(files.map { MessageFile($0, of: message, in: conversation.id) }, on: size))
    }

    private mutating func carryOut(_ wish: ComposerWish) -> [Effect] {
        switch wish {
        case .changed: return composerTextChanged()
        case .keep: return keepDraftLater()
        case .leave: return leaveComposer()
        case .edit: return editOutside()
        case .scroll(let screens): return carryOut(pane.scroll(screens: screens))
        case .send: return sendComposed()
        }
    }

    private mutating func carryOut(_ wish: FindWish) -> [Effect] {
        switch wish {
        case .go(let hit, let leaving): return go(to: .hit(hit), leaving: leaving, on: main.number)
        case .restore(let place):
            if main.place == place {
                panes.main.dropPending()
                return reopen(place.beside)
            }
            return go(to: .place(place), in: known(place.conversation), leaving: .nothing, on: main.number)
        case .showMatch(let match): show(match)
        case .showReply(let reply, let hit): return show(reply, of: hit)
        case .goOn:
            var effects: [Effect] = []
            while let outcomes = finding.goOn(in: context) { effects += carryOut(outcomes) }
            return effects
        case .goOnElsewhere(let direction): return goOnElsewhere(direction)
        case .dropHit: if case .hit? = main.pending?.destination { panes.main.dropPending() }
        case .dropOthers: if case .hit? = main.pending?.destination {} else { panes.main.dropPending() }
        case .leave(let place): panes.main.history.leave(place)
        case .makeJump: panes.main.pending?.leaving = .jump
        case .tellOfNothing(let text):
            warn(text)
            notice?.isAboutNoMatch = true
            dropHeld()
        case .folds(let former): return restoreFolds(former)
        }
        return []
    }
}
