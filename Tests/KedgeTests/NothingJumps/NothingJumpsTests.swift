import Foundation
import Messages
import TestSupport
import Testing

/// A user who does anything at all, in a real terminal, on a store that is slow and fails, while somebody else writes.
/// After each action the screen has to be a slice of the conversation drawn from scratch, and what moved has to have a
/// reason.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct NothingJumpsTests {
    @Test(arguments: [1, 2, 3, 4, 5, 8] as [UInt64])
    func `No row moves without a reason in a hundred random actions`(seed: UInt64) throws {
        try walk(seed: seed, hasList: false)
    }

    @Test(arguments: [6, 7] as [UInt64])
    func `Nor does one with the list of conversations beside the messages`(seed: UInt64) throws {
        try walk(seed: seed, hasList: true)
    }

    private func walk(seed: UInt64, hasList: Bool) throws {
        print("seed \(seed)")
        let walk = try Walk(seed: seed, hasList: hasList)
        while walk.steps < 100 { try walk.act() }
        // A slow machine is not outrun by every hundred actions.
        while !walk.hasSeenPage && walk.steps < 300 { try walk.rush() }
        print("seed \(seed): \(walk.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
        #expect(walk.hasSeenPage)
    }
}

/// One such user. What the screen shows is known at every step; each look at it is held against that.
final class Walk {
    /// A screen that a jump started from.
    struct Stop {
        let look: Look
        let anchor: Anchored
        let isFollowing: Bool
    }

    let tmux: Tmux
    private(set) var conversation: ScratchConversation
    let seed: UInt64
    var random: SeededGenerator
    var writer: LogWriter
    var look: Look
    var anchor: Anchored
    /// Whether the end may be kept at the bottom: the user has been there and not gone up again.
    var isFollowing = false
    /// What ^O and Tab lead to, as far as that is certain.
    var back: [Stop] = []
    var forward: [Stop] = []
    /// Actions, and what else has been seen.
    private(set) var steps = 0
    private(set) var counts: [String: Int] = [:]
    /// The scroll key that is being held down, and how often it still comes.
    var held: (key: String, times: Int)?
    private var trail: [String] = []
    let archive: URL
    private var known: Int
    private var asksForLink = false
    var clicks = 0

    /// Whether older messages have come before the first one.
    var hasOlderFile = false
    /// A narrow, a usual and a wide terminal.
    static let sizes = [(columns: 40, rows: 10), (columns: 100, rows: 30), (columns: 200, rows: 60)]

    /// Whether wide screens have the list of conversations.
    let hasList: Bool
    private(set) var columns: Int
    private(set) var rows: Int

    init(seed: UInt64, hasList: Bool) throws {
        self.seed = seed
        self.hasList = hasList
        random = SeededGenerator(seed: seed)
        (columns, rows) =
            hasList
            ? (.random(in: 120...160, using: &random), .random(in: 12...45, using: &random))
            : Walk.sizes[Int(seed % 3)]
        archive = FileManager.default.temporaryDirectory.appending(path: "kedge-nothing-jumps-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: Program.demo), to: archive)
        conversation = try ScratchConversation(archive: archive.path, conversation: "general")
        known = conversation.count
        let target = Int.random(in: known / 3..<known * 2 / 3, using: &random)
        writer = try LogWriter(
            archive: archive.path, conversation: "general", after: conversation.time(of: known - 1), seed: seed)
        tmux = try Tmux(
            columns: columns, rows: rows,
            environment: hasList ? ["XDG_CONFIG_HOME": Program.configFolder(list: true)] : [:])
        let simulated = "latency:\(try Walk.latency(tmux))ms,failures:0.2,after:1,seed:\(seed)"
        try tmux.type(
            "KEDGE_SIMULATE=\(simulated) \"$KEDGE\" open --archive '\(archive.path)' general "
                + "--at \(conversation.id(target))")
        let wanted = " general/" + conversation.id(target) + " "
        // Where it stands is known with the index.
        let lines = try tmux.waitUntilStill("opened") {
            $0.last?.hasPrefix(wanted) == true && $0.first?.contains(" of ") == true
        }
        let shot = Shot(lines, columns: columns, hasList: hasList)
        let slices = Placer(conversation: conversation, shot: shot, known: known).slices()
        let spots = try #require(slices.first, "no slice of the conversation:\n\(lines.joined(separator: "\n"))")
        look = Look(shot: shot, spots: spots, conversation: conversation, known: known)
        anchor = try #require(Anchored(look))
    }

    /// Milliseconds that the store takes: so many that this machine, as busy as it is, looks at the screen some times before
    /// a page comes. What a page has done could else not be told from what a key has.
    private static func latency(_ tmux: Tmux) throws -> Int {
        let clock = ContinuousClock()
        let looks = try (0..<10).map { _ in try clock.measure { _ = try tmux.screen() } }
        let slowest = looks.max() ?? .zero
        return min(2_000, max(300, Int(slowest / .milliseconds(1)) * 10))
    }

    deinit {
        try? FileManager.default.removeItem(at: archive)
        Program.forget(archive: archive.path)
    }

    var hasSeenPage: Bool { counts["pages seen arriving", default: 0] > 0 }

    func count(_ what: String) { counts[what, default: 0] += 1 }

    /// Reads all files again, which others have written.
    func readAgain() throws {
        conversation = try ScratchConversation(archive: archive.path, conversation: "general")
        known = conversation.count
    }

    /// Begins an action: whatever has happened since the last one has moved nothing.
    func begin(_ action: String) throws {
        steps += 1
        trail = (trail + ["\(steps) \(action) (\(anchor))"]).suffix(20)
        try watch()
    }

    /// Says more of the last action.
    func note(_ what: String) {
        if let last = trail.popLast() { trail.append("\(last): \(what)") }
    }

    /// Sees that nothing moves by itself.
    func watch() throws {
        let look = try see("as it was", when: { _ in true }) { look in
            ScreenMove(from: self.look, to: look).complaint(following: self.isFollowing)
        }
        keep(look)
    }
}

// MARK: - Looking

extension Walk {
    /// What has been seen without the user's doing.
    func keep(_ look: Look) {
        if ScreenMove(from: self.look, to: look).rows == 0 {
            countArrivals(on: look)
        } else {
            count("arrivals followed")
            anchor = Anchored(look) ?? anchor
        }
        self.look = look
    }

    /// What the user has done.
    func take(_ look: Look) {
        self.look = look
        anchor = Anchored(look) ?? anchor
    }

    /// A complaint about a key, unless new messages may have come in at the end with it and have been followed.
    func unlessFollowed(_ complaint: String?) -> String? {
        let last = look.messages.last?.index ?? 0
        return isFollowing && last < conversation.count - 1 ? nil : complaint
    }

    private func countArrivals(on look: Look) {
        for (row, spot) in self.look.spots.enumerated() where self.look.shot.isLoading(row) {
            if look.spots[row] != spot {
                count("pages seen arriving")
            } else if look.shot.isFailed(row) {
                count("failures seen")
            }
        }
        for row in self.look.spots.indices where self.look.shot.isFailed(row) {
            if !look.shot.isFailed(row) { count("retries seen") }
        }
    }

    /// Looks until the screen is as it should be. What is drawn takes its time, so one wrong look says nothing yet; a
    /// screen that stays wrong does.
    /// - Parameters:
    ///   - isDrawn: whether what was done can be seen to have been taken.
    ///   - isPatient: whether the right screen may have to be loaded first.
    ///   - judge: nil, or what is wrong.
    func see(
        _ what: String, isPatient: Bool = false, when isDrawn: (Shot) -> Bool, _ judge: (Look) -> String?
    ) throws -> Look {
        let deadline = Date(timeIntervalSinceNow: 60)
        // A notice may give way to another before a slow machine has looked at it.
        var again: Date? = Date(timeIntervalSinceNow: 25)
        var wrongSince: Date?
        var last: [String] = []
        var isLoading = false
        while true {
            let lines = try tmux.screen()
            let shot = Shot(lines, columns: columns, hasList: hasList)
            isLoading = isLoading || (0..<shot.height).contains(where: shot.isLoading)
            if lines != last || !isDrawn(shot) { wrongSince = nil }
            last = lines
            var complaint = "not drawn"
            if lines.count == rows, isDrawn(shot) {
                let verdict = self.verdict(shot, judge)
                if let look = verdict.look {
                    // Steps beyond the loaded messages wait for their page.
                    if isLoading, !(0..<shot.height).contains(where: shot.isLoading) { count("pages seen arriving") }
                    return look
                }
                complaint = verdict.complaint
                wrongSince = wrongSince ?? Date()
            } else if lines.count == rows, !shot.hasNotice, let moment = again, Date() > moment {
                again = nil
                count("notices asked for again")
                try tmux.press([asksForLink ? "Y" : "y"])
            }
            let isStable = wrongSince.map { Date().timeIntervalSince($0) > 5 } ?? false
            if Date() > deadline || isStable && !isPatient { try fail(what, complaint, lines) }
        }
    }

    private func verdict(_ shot: Shot, _ judge: (Look) -> String?) -> (look: Look?, complaint: String) {
        let near = Set([look.selected, shot.selected ?? 0].flatMap { ($0 - 200)..<($0 + 200) })
            .filter { (0..<conversation.count).contains($0) }.sorted()
        var complaint = "the screen is no slice of the conversation"
        for spots in Placer(conversation: conversation, shot: shot, known: known).slices(near: near) {
            let look = Look(shot: shot, spots: spots, conversation: conversation, known: known)
            guard look.hasRightDay else {
                complaint = "the day is not that of the topmost message"
                continue
            }
            guard let wrong = judge(look) else {
                count("checks")
                return (look, "")
            }
            complaint = wrong
        }
        return (nil, complaint)
    }

    private func fail(_ what: String, _ complaint: String, _ lines: [String]) throws -> Never {
        let before = look.shot.lines.joined(separator: "\n")
        Issue.record(
            """
            seed \(seed), step \(steps): not \(what): \(complaint)
            \(trail.joined(separator: "\n"))
            --- before: \(look.shot.columns) columns, \(look.shot.lines.count) rows, the cursor on \(look.selected)
            \(before)
            --- now: \(columns) columns, \(rows) rows
            \(lines.joined(separator: "\n"))
            ---
            """)
        throw Tmux.Unmet(what: what)
    }
}

// MARK: - Touching

extension Walk {
    /// Presses keys, and one more that changes nothing but the notice in the last row: when that is there, all before it
    /// have been taken. Two keys take turns, so that it is always another notice.
    func press(_ keys: [String]) throws {
        asksForLink.toggle()
        if Walk.isRefused(look.shot) {
            // The same notice may come again.
            try tmux.press("F7")
            try tmux.waitUntil("another notice") { $0.last?.contains("not carried out") == false }
        }
        try tmux.press(keys + [asksForLink ? "Y" : "y"])
    }

    /// Whether the last key was given up: it waited for steps beyond the loaded messages, and their page has not come.
    static func isRefused(_ shot: Shot) -> Bool { shot.status.hasPrefix(" not carried out") }

    func isTaken(_ shot: Shot) -> Bool {
        if Walk.isRefused(shot) { return true }
        let notices = asksForLink ? [" link copied"] : [" text copied", " this message has", " this text is"]
        // A narrow screen cuts it for what has come in.
        let start = shot.status.prefix { $0 != "…" }
        let isCut = start.count < shot.status.count && start.count > 5
        return notices.contains { shot.status.hasPrefix($0) || isCut && $0.hasPrefix(start) }
    }

    /// Waits until all keys have been taken, before a jump whose own notices could stand in the way.
    func calmDown() throws {
        if isTaken(look.shot) { return }
        try press([])
        keep(
            try see("calm", when: isTaken) { look in
                ScreenMove(from: self.look, to: look).complaint(following: self.isFollowing)
            })
    }

    /// Makes the terminal another size.
    func resize(columns: Int, rows: Int) throws {
        (self.columns, self.rows) = (columns, rows)
        try tmux.resize(columns: columns, rows: rows)
        try press([])
    }

    /// Whether a frame has been drawn in the size that the terminal has now: the title reaches from end to end.
    func isDrawnAnew(_ shot: Shot) -> Bool {
        isTaken(shot) && Shot.columns(shot.lines.first ?? "") == columns - 1
    }
}
