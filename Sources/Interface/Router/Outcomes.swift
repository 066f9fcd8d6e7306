import Display
import Messages
import Search
import Timeline

/// Performs the requests of components. Only here does one component reach another.
extension Model {
    mutating func carryOut(_ outcomes: [Outcome]?) -> [Effect] { (outcomes ?? []).flatMap { carryOut($0) } }

    private mutating func carryOut(_ outcome: Outcome) -> [Effect] {
        switch outcome {
        case .typed: inputState.isTyping = true
        case .close: return layers.close()
        case .perform(let action): return act(action)
        case .notice(let notice): self.notice = notice
        case .effect(let effect):
            if case .stop(.conversations) = effect { rooms.sidebar.isLoading = false }
            return [effect]
        case .ask(let question):
            return [layers.ask(question)]
        case .prompt(let question): layers.ask(question)
        case .lost: return carryOut(inputState.lose(notice))
        case .stayHere:
            reader.stayHere()
            rooms.giveUp()
        case .open(let panel): layers.panel = panel
        case .entered(let id, let former, let cursor):
            // The composer, and a question about a message, belong to the conversation that was left.
            if panel == .composer || layers.prompt?.isAboutMessage == true { layers.panel = nil }
            rooms.sidebar.reveal(id, height: rows.list)
            return inWriting { $0.leave(former, in: $1) }
                + [.watch(id, since: cursor), .stop(.places), .ask(.obstacle(id))]
                + inWriting { writing, _ in writing.sendNext(in: id) + writing.findStrayEdits(in: id) }
        case .go(nil, let conversation, _):
            return carryOut(conversation.map { [.effect(.stop(.conversations)), .list(.visit($0))] })
        case .go(let place?, let conversation, let leaving):
            return inReader { $0.go(toNamed: place, in: conversation, leaving: leaving, $1) }
        case .begin(let task): return tasks.begin(task) ? [task.effect] : []
        case .pictures(let files):
            reader.dropPending()
            layers.panel = .picture
            return carryOut(layers.pictures.open(files, on: size))
        case .find(let wish): return inReader { $0.perform(wish, $1) }
        case .search(let wish): return carryOut(wish)
        case .compose(.scroll(let screens)): return carryOut(reader.pane.scroll(screens: screens))
        case .compose(let wish): return inWriting { $0.perform(wish, in: $1) }
        case .bookmark(let wish): return inReader { $0.perform(wish, $1) }
        case .list(let wish): return carryOut(wish)
        case .pane(let news): return inReader { $0.take(news, $1) }
        }
        return []
    }

    private mutating func carryOut(_ wish: ListWish) -> [Effect] {
        switch wish {
        case .mark(let mark, let id): return carryOut([.begin(reader.task(toMark: mark, id))])
        case .mute(let id): return inReader { $0.toggleMute(id, $1) }
        case .visit(let chosen): return inReader { $0.visit(chosen, $1) }
        case .named:
            reader.name { rooms.switcher.conversation($0) }
            return inSearch { search, context in
                search.nameResults(in: context)
                return []
            }
        case .goToUnread(let counted): return inReader { $0.goToUnread(counted, $1) }
        case .seekNoMore: reader.trail.seeksUnread = false
        case .show: if panel == .switcher { rooms.switcher.show() }
        // No context, since that would hold the list, which would be copied for each change.
        case .arrived(let arrival, let unread): rooms.switcher.note(arrival, unread)
        case .noteRead(let id): rooms.switcher.noteRead(id)
        case .load: return inRooms { [$0.loadSummaries(in: $1)] }
        case .loadTitles: return carryOut([rooms.loadTitles])
        case .join(let address, let name): return inRooms { $0.join(address, name: name, in: $1) }
        case .followMove(let side): return inRooms { $0.followMove(side, in: $1) }
        }
        return []
    }

    private mutating func carryOut(_ wish: SearchWish) -> [Effect] {
        switch wish {
        case .everywhere(let words, let link):
            layers.panel = .search
            return carryOut([.list(.loadTitles)]) + inSearch { $0.open(words: words, near: link, in: $1) }
        case .here(let words): return inReader { $0.openFind(towards: .newer, words: words, $1) }
        case .begun:
            reader.finding.find?.isEverywhere = search.conversations.count > 1
            return []
        case .goOn:
            var effects: [Effect] = []
            while let outcomes = reader.goOn(outside) { effects += carryOut(outcomes) }
            return effects
        case .goOnElsewhere(let direction, let words):
            return inSearch { $0.goOn(direction, words: words, in: $1) }
        }
    }
}

/// The component of each panel.
extension Model {
    /// Gives an event to the open panel.
    mutating func handle(_ event: PanelEvent) -> [Outcome] {
        let context = context
        return switch panel {
        case nil: []
        case .find: reader.finding.handle(event, in: context)
        case .search: search.handle(event, in: context)
        case .switcher: rooms.switcher.handle(event, in: context)
        case .prompt: layers.prompt?.handle(event, in: context) ?? []
        case .composer: writing.handle(event, in: context)
        case .sheet: layers.sheet?.handle(event, in: context) ?? []
        case .picture: layers.pictures.handle(event, in: context)
        }
    }
}

/// Actions, from a key or from the list of commands.
extension Model {
    mutating func act(_ action: Action) -> [Effect] {
        switch action {
        case .interrupt: return [.quit(.interrupted)]
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .help: layers.help = Help(keymap, in: inputContext.keys)
        case .quit: return [.quit(.done)]
        case .switcher: return inRooms { $0.openSwitcher(in: $1) }
        case .list:
            let height = rows.list
            return inRooms { $0.toggleSidebar(height: height, in: $1) }
        case .previousConversation: return inRooms { $0.step(.by(-1), in: $1) }
        case .nextConversation: return inRooms { $0.step(.by(1), in: $1) }
        case .searchEverywhere: return carryOut([.search(.everywhere(words: nil))])
        // The summaries say where something is unread.
        case .nextUnread:
            reader.trail.seeksUnread = true
            return carryOut([.list(.load)])
        case .commands, .bookmarks, .mentions, .threads: return carryOut(layers.act(action, in: context))
        // Esc cancels the tasks in the status line before anything else.
        case .cancel:
            guard tasks.areShown else { return carryOut(reader.cancel()) }
            tasks.giveUp()
        default: return opening == .shown ? actInConversation(action) : inReader { $0.actInPane(action, $1) }
        }
        return []
    }

    private mutating func actInConversation(_ action: Action) -> [Effect] {
        if let refusal = pane.refusal(of: action, keymap) { return carryOut([refusal]) }
        switch action {
        case .share: return carryOut(inputState.goToShare())
        case .compose, .reply, .edit, .delete, .react, .resend: return inWriting { $0.act(action, in: $1) }
        case .reactions, .versions, .members, .writeFile, .bookmark, .goToBookmark:
            return carryOut(layers.act(action, in: context))
        case .leave: return inRooms { $0.askToLeave(in: $1) }
        case .exactTimes:
            screen.clockStyle.toggle()
            return []
        default: return inReader { $0.act(action, $1) }
        }
    }
}

/// Each component, with the values that it may read.
extension Model {
    mutating func inReader(_ body: (inout OpenConversation, Outside) -> [Outcome]) -> [Effect] {
        carryOut(body(&reader, outside))
    }

    /// Forwards to a pane, if it still exists.
    mutating func inPane(_ number: Int, _ body: (inout Pane, PaneContext) -> [Outcome]) -> [Effect] {
        inReader { $0.inPane(number, $1, body) }
    }

    /// Forwards to the search in the conversation.
    mutating func inFind(_ body: (inout Finding, Context) -> [Outcome]) -> [Effect] {
        inReader { $0.inFind($1, body) }
    }

    mutating func inWriting(_ body: (inout Writing, Context) -> [Outcome]) -> [Effect] {
        carryOut(body(&writing, context))
    }

    mutating func inRooms(_ body: (inout ConversationLists, Context) -> [Outcome]) -> [Effect] {
        carryOut(body(&rooms, context))
    }

    mutating func inInput(_ body: (inout InputState, InputContext) -> [Outcome]) -> [Effect] {
        carryOut(body(&inputState, inputContext))
    }

    mutating func inSearch(_ body: (inout SearchPanel, Context) -> [Outcome]) -> [Effect] {
        carryOut(body(&search, context))
    }

    /// Forwards to the search only while it is open, since a closed search requests nothing.
    mutating func inOpenSearch(_ body: (inout SearchPanel, Context) -> [Outcome]) -> [Effect] {
        panel == .search ? inSearch(body) : []
    }

    mutating func inSheet(_ body: (inout any Sheet, Context) -> [Outcome]) -> [Effect] {
        let context = context
        return carryOut(layers.inSheet { body(&$0, context) })
    }

    /// Gives the text that is being written and each pane their columns and rows.
    mutating func fitPanes() -> [Effect] {
        if panel == .composer { writing.layOut(at: writingPlace, columns: composerColumns) }
        let (rows, target, outgoing) = (rows, composer?.target, writing.outgoingMessages(in: conversation, pane))
        let (typing, hasLink) = (writing.typing, rooms.hasLinkBelow(conversation))
        return inReader {
            $0.fit(rows, keeping: target, outgoing: outgoing, typing: typing, hasLinkBelow: hasLink, $1)
        }
    }
}
