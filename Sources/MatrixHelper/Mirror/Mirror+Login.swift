internal import Matrix
internal import Relay

/// What a mirror that serves Kedges does when its session has ended.
extension Mirror {
    /// Waits until the user has logged in again. What was read, and what is to be sent, stays as it is; Kedge says what to type.
    func awaitLogin(_ end: MirrorEnd) throws(MirrorEnd) {
        guard goal.serves else { throw end }
        giveUpRequests()
        let reason = end.reason(for: me) ?? ""
        var isTold = false
        while !takeLogin() {
            if !isTold { report(.trouble(reason)) }
            isTold = true
            desk.note(isOnline: false, reason: reason)
            for demand in filler.takeDemands() {
                desk.respond(.failed(reason: reason, retry: nil), to: demand.asker)
            }
            outbox.postpone(because: reason)
            for (asker, response) in outbox.takeResponses() { desk.respond(response, to: asker) }
            // Who stops it hears why it was of no use.
            do throws(MirrorEnd) { try wait(reason, within: nil) } catch { throw end }
        }
        outbox.hurry()
        // The next response is wanted at once: it shows that the server is there again.
        isTroubled = true
        try disk { () throws(DiskFailure) in try filler.collect() }
        ask()
        fill()
    }

    /// - Returns: whether there is another session than the one that has ended.
    private func takeLogin() -> Bool {
        guard let new = renewed(), !new.isSame(as: server) else { return false }
        server = new
        retry.succeeded()
        return true
    }
}
