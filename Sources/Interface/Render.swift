package import Display
import Messages
import Timeline

/// Draws the model: the same model gives the same frame.
package func render(_ model: Model) -> Frame {
    let frame = model.frame
    guard model.main.grid.isPlain else { return frame }
    // While a text is being written, the cursor is in the text.
    let isTyping = model.panel.map { [.find, .prompt, .composer].contains($0) } ?? false
    return frame.inWords(
        column: model.panel == nil ? model.grid.textStart : 0, keepsCursor: isTyping || model.layers.help != nil)
}

extension Model {
    fileprivate var frame: Frame {
        if let help = layers.help { return help.frame(size) }
        let panel = panelView
        if case .screen(let frame)? = panel { return frame }
        return conversationFrame(panel)
    }

    fileprivate func conversationFrame(_ panel: PanelView?) -> Frame {
        let rows = self.rows
        var lines: [Line] = []
        // The title and the day are about the pane at the left.
        let left = split.main == nil ? pane : main
        let bar = TitleBar(
            pane: left, conversation: conversation, preparation: notices.preparation.shown,
            isMuted: conversation.map { reading.muted.contains($0.id) } ?? false,
            isOffline: notices.reach.map { $0 != .online } ?? false, locating: reader.locating, columns: size.columns)
        if rows.title > 0 { lines.append(bar.title) }
        let middle = (rows.day > 0 ? [bar.day] : []) + paneLines
        let list =
            sidebarColumns > 0
            ? rooms.sidebarLines(drafts: writing.drafts, height: rows.list, in: context) : nil
        lines += list.map { zip($0, middle).map { $0 + $1 } } ?? middle
        if case .line(var prompt)? = panel {
            if let heldNotice { prompt.answer = heldNotice.text.string }
            // A screen of a single row has no other place for the prompt.
            if rows.status == 0 { lines.removeLast() }
            let aside = reader.newElsewhere(outside) { $0.label }
            let (line, column) = prompt.line(columns: size.columns, margin: grid.margin, aside: aside)
            let cursor = ScreenPosition(row: lines.count, column: column)
            return Frame(size: size, lines: lines + [line], cursor: cursor)
        }
        let composer = rows.composer > 0 ? composerView?.lines(rows: rows.composer) : nil
        if lines.count + rows.composer > size.rows { lines.removeLast() }
        let top = lines.count
        lines += composer?.lines ?? []
        if rows.status > 0 { lines.append(statusLine(panel)) }
        guard case .composer? = panel, let composer else { return Frame(size: size, lines: lines) }
        let cursor = ScreenPosition(row: top + composer.cursor.row, column: composer.cursor.column)
        return Frame(size: size, lines: lines, cursor: cursor)
    }

    /// The visible panes, side by side.
    private var paneLines: [Line] {
        let shown = [(main, split.main), (openThread, split.thread)].compactMap { pane, columns in
            pane.flatMap { pane in columns.map { (pane, $0.count) } }
        }
        let sides = shown.map { lines(of: $0, columns: $1, hasNeighbour: shown.count > 1 && !$0.isThread) }
        guard sides.count > 1, let columns = split.main?.count else { return sides.first ?? [] }
        return zip(sides[0], sides[1]).map { $0.padded(to: columns) + $1 }
    }

    private func lines(of pane: Pane, columns: Int, hasNeighbour: Bool) -> [Line] {
        if pane.opening != .shown, !pane.isThread {
            let lines = openingLines(of: pane, rows.messages)
            return hasNeighbour ? lines.map { $0.padded(to: columns - 1) + [Span.divider] } : lines
        }
        let messages =
            pane.opening == .shown
            ? messageLines(of: pane, hasNeighbour: hasNeighbour)
            : openingLines(of: pane, rows.messages - pane.headRows(in: rows))
        guard pane.isThread else { return messages }
        return ThreadHead.lines(
            of: pane, columns: columns, height: rows.messages, hasFocus: pane.number == self.pane.number, looks: looks
        ) + messages
    }

    private func messageLines(of pane: Pane, hasNeighbour: Bool) -> [Line] {
        // Hits are marked in the main timeline only.
        let hits = pane.isThread ? nil : find?.places
        return PaneView(
            timeline: pane.timeline, target: pane.target, marked: pane.mark == nil ? nil : pane.markedIndices,
            query: highlighted,
            hits: hits ?? HitPlaces(),
            outgoing: pane.entries(
                ofOutgoing: writing.outgoingMessages(in: conversation, self.pane), zone: zone),
            failed: writing.failedPosts(in: conversation?.id),
            typing: writing.typing.line(in: pane), hasCursor: !pane.isRootSelected,
            hasFocus: pane.number == self.pane.number,
            hasNeighbour: hasNeighbour, hasBeginning: !pane.isThread, gaps: pane.gaps,
            lastRead: reader.readers.lastRead(in: pane),
            isBelowDay: rows.day > 0 && !pane.isThread, looks: looks
        )
        .lines
    }

    /// The query of the search, if the conversation can have hits.
    private var highlighted: ResolvedQuery? {
        guard let query = find?.query, let conversation, query.accepts(conversation) else { return nil }
        return query
    }
}

extension Model {
    /// The lines in the middle of the screen while there is no list: it is loading, or the reason why it is missing.
    fileprivate func openingLines(of pane: Pane, _ height: Int) -> [Line] {
        let way = pane.isThread ? "Esc closes" : "\(keymap.keyName(.quit)) quits"
        var texts: [Line] = []
        switch pane.opening {
        case .nothing: break
        case .loading, .shown: texts = [[Span("loading…", .dim)]]
        case .failed(let reason, let attempts):
            let delay = Pager<Messages.Cursor>.retryDelay(attempts: attempts)
            texts = [
                [Span(CleanText(reason), Style(.warning))],
                [
                    Span(
                        CleanText(
                            "next try in \(delay) s · \(keymap.keyName(.activate)) tries now · \(way)"
                        ), .dim)
                ],
            ]
        }
        let above = max(0, (height - texts.count) / 2)
        let lines = Array(repeating: Line.empty, count: above) + texts.map { $0.centered(in: columns(of: pane).count) }
        return Array((lines + Array(repeating: Line.empty, count: height)).prefix(height))
    }
}

/// The view of each panel.
extension Model {
    /// The view of the open panel; nil when none is open.
    var panelView: PanelView? {
        switch panel {
        case nil: nil
        case .find: reader.finding.view(in: context)
        case .search:
            .screen(
                SearchView(
                    search: search, directory: directory, looks: looks, newElsewhere: reader.newElsewhere(outside),
                    hasConversation: opening == .shown, screen: listScreen
                ).frame
            )
        case .switcher:
            .screen(
                SwitcherView(
                    switcher: rooms.switcher, drafts: writing.drafts, reading: reading,
                    hasConversation: opening != .nothing, screen: listScreen, preview: rooms.preview, looks: looks
                ).frame)
        case .prompt: layers.prompt?.view(in: context)
        case .composer: .composer
        case .sheet: layers.sheet.map { .screen($0.frame(on: listScreen, in: context, looks: looks)) }
        case .picture:
            .screen(PictureView(viewer: layers.pictures, size: size, notice: statusNotice, keymap: keymap).frame)
        }
    }

    /// The screen for a list that covers the conversation.
    private var listScreen: ListScreen {
        ListScreen(
            size: size, grid: grid, keymap: keymap, notice: statusNotice ?? taskStatus(), nextTry: layers.retries.words,
            now: now, zone: zone)
    }

    /// The part of the state that changes the look of messages.
    var looks: Looks {
        Looks(
            me: me, own: reader.addressee(outside), clockStyle: screen.clockStyle, clockColumns: zone.clockColumns,
            now: now, links: (layers.prompt as? LinkPrompt)?.numbers, openKey: keymap.keyName(.activate))
    }
}

/// What the status line says before everything else.
extension Model {
    /// `"r" waits for the beginning… Esc gives up`; else the notice.
    var statusNotice: Span? {
        if let heldNotice { return heldNotice }
        let hasMatch = find.map { $0.places.count > 0 } ?? false
        return notice?.subject == .noMatch && hasMatch ? nil : notice?.span
    }

    private var heldNotice: Span? { inputState.held.isEmpty ? nil : inputState.notice(in: inputContext) }
}

/// The parts of the status line.
extension Model {
    /// - Parameter panel: the open panel.
    func statusLine(_ panel: PanelView?) -> Line {
        plainStatusLine(panel).padded(to: size.columns).on(.bar)
    }

    private func plainStatusLine(_ panel: PanelView?) -> Line {
        let bar = StatusBar(
            columns: size.columns, margin: grid.margin, newElsewhere: reader.newElsewhere(outside),
            newBelow: reader.panes.newBelowBadge)
        switch panel {
        case .question(let question, let isWarning): return bar.line(asking: question, isWarning: isWarning)
        case .composer:
            if let candidates = composer?.candidates { return bar.line(offering: candidates) }
            // An empty text is not kept as a draft.
            let isEmpty = composer?.area.isEmpty ?? true
            return bar.line(writing: writing.status(in: conversation?.id, statusNotice)) { columns in
                keymap.hints(
                    in: .composing, columns: columns,
                    word: { binding in
                        switch binding.action {
                        case .cancel where isEmpty: "stop writing"
                        case .activate where composer?.isEditing ?? false: "save"
                        default: binding.hint
                        }
                    })
            }
        case .screen, .line, nil:
            let marks =
                statusNotice == nil
                ? [writing.draftMark(in: conversation?.id), writing.draftsElsewhere(directory)] : nil
            // Most screens have no mark, and every frame asks.
            let hasMarks = marks?.contains { $0 != nil } ?? false
            let help = hasMarks ? keymap.hints(columns: size.columns) { $0 == .help } : .empty
            return bar.line(statusMessage, marks: marks, leaving: help.columns, hints: hints)
        }
    }

    private var statusMessage: Span {
        if let statusNotice { return statusNotice }
        if !inputState.digits.isEmpty {
            return Span(CleanText("\(inputState.digits)   % goes to that point of the conversation"), Style(.accent))
        }
        if let marked = pane.markedStatus(keymap) { return marked }
        if let slow = reader.panes.first(where: { $0.opening == .shown && $0.isSlow && $0.pending != nil })?.pending {
            let work = slow.isWaiting ? "\(slow.name) did not load · \(slow.wait)" : "loading \(slow.name)…"
            return Span(CleanText("\(work) Esc stays here"), Style(.accent))
        }
        if let status = taskStatus("   Esc gives up") { return status }
        guard let entry = pane.selectedEntry, let conversation else {
            let name: CleanText = isInThread ? "no replies here yet" : "no messages here yet"
            return Span(opening == .shown ? name : "", .dim)
        }
        if let find, showsFind {
            let isWaiting = !find.wanted.isEmpty ? " · going there as soon as it is found" : ""
            let name = find.direction == .newer ? "/" : "?"
            let isAtHit = reader.finding.isAtHit(in: pane)
            let isWrapped = isAtHit && find.currentOrdinal != nil && find.current?.isWrapped == true
            let wrapped = isWrapped ? " · search wrapped" : ""
            let time = screen.clockStyle == .seconds ? "   \(zone.second(entry.message.at))" : ""
            return Span(
                CleanText(
                    "\(name)\(find.field.text)   \(find.standing(isAtHit: isAtHit))\(scope(of: find))\(wrapped)\(isWaiting)\(time)"
                ),
                Style(.accent))
        }
        if grid.isPlain { return Span(CleanText(statesInWords(of: entry))) }
        let link = preferences.showsLink ? "\(Link(conversation: conversation.id, message: entry.id))  " : ""
        let time = screen.clockStyle == .seconds ? zone.second(entry.message.at) : entry.clock
        // Without a user nobody can write, whatever the archive allows.
        let access = me == nil || canWrite ? "" : "   read-only"
        return Span(CleanText("\(link)\(time)\(access)"), .dim)
    }

    /// - Parameter key: the words about the key that cancels the tasks; empty if none does.
    func taskStatus(_ key: String = "") -> Span? {
        tasks.status { known($0).title }.map { Span(CleanText($0 + key), Style(.accent)) }
    }

    /// The states of a message that colours and marks show elsewhere. Empty for most messages, so that little is read
    /// aloud after a step.
    private func statesInWords(of entry: Entry) -> String {
        let index = timeline.list.index(of: entry.id)
        let first = reading.firstUnread.flatMap { timeline.list.index(of: $0) }
        let states = [
            looks.own?.isMeant(by: entry.message) == true ? "mentions you or replies to you" : nil,
            first.map { (index ?? -1) >= $0 } == true && entry.message.sender?.id != me ? "unread" : nil,
        ]
        return states.compactMap(\.self).joined(separator: ", ")
    }

    /// True if the status line is about the search. In a thread this is so only while the cursor is on a hit.
    private var showsFind: Bool { find != nil && (!isInThread || reader.finding.isAtHit(in: pane)) }

    /// The scope of the hits, and the meaning of a star, where these are not clear otherwise.
    private func scope(of find: Find) -> String {
        let place = isInThread ? " in the conversation" : find.isEverywhere ? " here" : ""
        return find.isOpened ? "\(place) · * stands for any ending" : place
    }

    private func hints(columns: Int) -> Line {
        // The hints are the same for all messages, so that a screen reader does not read them aloud after a step.
        if grid.isPlain { return keymap.hints(columns: columns) { $0 == .help || $0 == .quit } }
        guard opening == .shown else { return keymap.hints(columns: columns) { $0 == .quit } }
        let ofFind: Set<Action> = [.findNext, .findPrevious, .cancel]
        if showsFind {
            return keymap.hints(columns: columns) { ofFind.contains($0) || $0 == .back || $0 == .help }
        }
        let ofWriting: Set<Action> = [.compose, .reply]
        let isWorthAHint = { (action: Action) in
            (!ofFind.contains(action) || action == .cancel && isInThread) && isUseful(action)
                && (canWrite || !ofWriting.contains(action))
        }
        return keymap.hints(
            columns: columns, isUseful: isWorthAHint, changes: { Model.selectionActions.contains($0) }, word: hint)
    }

    /// Actions that are useful only for some messages, or at some places.
    private static let selectionActions: Set<Action> = [.end, .activate, .thread, .openLink, .picture, .fold]

    /// True if an action is useful for the selected message. Without one, actions that need a message are not useful.
    private func isUseful(_ action: Action) -> Bool {
        guard let entry = pane.selectedEntry else {
            return ![.activate, .thread, .openLink, .picture, .fold, .reply, .find, .date, .end].contains(action)
        }
        switch action {
        case .end: return !timeline.viewport.isFollowing
        case .activate: return entry.message.quote != nil
        case .thread: return !isInThread && ReplySummary.isNeeded(for: entry.message)
        case .openLink: return entry.body.hasLinks || !entry.message.attachments.isEmpty
        case .picture: return entry.message.attachments.contains(where: \.isPicture)
        case .fold: return pane.isFolded || entry.body.isLong && pane.canFold
        default: return true
        }
    }

    /// The effect of a binding on the selected message, in a word or two.
    private func hint(of binding: Binding) -> String? {
        switch binding.action {
        case .fold where pane.isFolded: return "unfold"
        case .cancel where isInThread: return "close thread"
        case .openLink where pane.selectedEntry?.body.hasLinks == false:
            return "open file"
        default: return binding.hint
        }
    }
}

extension Model {
    /// The title of the terminal: `Kedge: General (3)`, with the number of all messages known to be new.
    package var terminalTitle: CleanText {
        let name = conversation.map { ": \($0.title.prefix(100))" } ?? ""
        let new = reading.elsewhere.reduce(main.newCount) { sum, elsewhere in
            let shown = reading.shown(elsewhere.value.unread, in: elsewhere.key)
            return sum + max(shown.count, shown.mentions)
        }
        return CleanText("Kedge\(name)\(new > 0 ? " (\(new.grouped))" : "")")
    }
}
