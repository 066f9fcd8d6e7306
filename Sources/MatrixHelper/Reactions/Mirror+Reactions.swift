internal import Formats
internal import Matrix

/// Reactions to messages of islands.
extension Mirror {
    /// Asks for the reactions to messages around one, if events are missing after them.
    func askForReactions(on page: ContextPage, around event: String, in room: String, _ segment: SegmentName) {
        guard let gaps = try? archive.gaps(in: room), gaps.contains(where: { $0.edge > segment }) else { return }
        reactions.add(Lines.messages(in: page.lines), around: event, in: room)
        askForReactions()
    }

    private func askForReactions() {
        guard let target = reactions.next() else { return }
        let request = MatrixRequest.reactions(room: target.room, event: target.event)
        _ = server.start(request) { [queue] in queue.send(.reacted($0)) }
    }

    func reacted(_ result: Result<HTTPResponse, HTTPFailure>) throws(MirrorEnd) {
        var page: EventsPage?
        if case .success(let response) = result, response.status == 200, let room = reactions.current?.room {
            archive.events.room = room
            let tree = JSONTree()
            page = response.body.withUnsafeBytes { EventsPage($0, .backward, tree: tree, events: archive.events) }
        }
        guard let target = reactions.end(isFailure: page == nil), let page else { return }
        do throws(DiskFailure) {
            try archive.add(reactions: page.lines, to: target.event, in: target.room)
        } catch {
            // Those of other rooms may be written.
            if error.stopsAll { return try reopen(error) }
        }
        askForReactions()
    }
}
