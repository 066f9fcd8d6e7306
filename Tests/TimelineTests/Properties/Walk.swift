import TestSupport

@testable import Timeline

/// Drives a timeline through a script beside the true conversation, and checks the properties after each step. The
/// expected screens are computed from lengths and rows alone (`Drawing`), never from the timeline's own layout.
struct Walk {
    struct Setup: Hashable {
        var lines = 60
        var hidden = 0.15
        var width = 8
        var height = 6
        var capacity = 20
        var prefetch = Prefetch(pageSize: 6, rows: 3, screens: 1)
        /// Whether notes have lines above their content.
        var leads = true
        /// Whether the store reports places and totals.
        var counts = true
        var seed: UInt64 = 0
    }

    var talk = Talk()
    var timeline: Notes
    var width: Int
    /// Loads without a response, including those that are no longer wanted.
    var flights: [Pager<Int>.Output] = []
    var stale: [Pager<Int>.Output] = []
    /// The row that must stay by the rules; nil when none was on the screen at the user's last move.
    var anchor: Cell?
    /// The first and the last line of the window, even if they are removed.
    var bounds = (first: 0, last: 0)
    /// Counts changes of the notes.
    var revision = 0
    /// The screen at the user's last move.
    var trail: Trail?
    var memories: [Memory] = []
    let counts: Bool
    /// Counts of checks, pages received and so on, reported at the end.
    var tally: [String: Int] = [:]

    struct Trail {
        let width: Int
        let height: Int
        var cells: Cells
        var revision: Int
        var footer = 0
    }

    struct Memory {
        let anchor: Anchor<Int>
        let selection: Int?
        let following: Bool
        let trail: Trail
    }

    /// The state before a step.
    struct Before {
        let cells: Cells
        let width: Int
        let notes: [Note]
        let following: Bool
        let isWhole: Bool
        let hasOlder: Bool
        let hasNewer: Bool
        let rowsAbove: Int
    }

    init(_ setup: Setup) throws {
        var random = SeededGenerator(seed: setup.seed)
        talk.hasLeads = setup.leads
        for _ in 0..<setup.lines {
            talk.append(
                length: Int.random(in: 1...30, using: &random),
                isHidden: Double.random(in: 0..<1, using: &random) < setup.hidden)
        }
        counts = setup.counts
        width = setup.width
        timeline = Notes(
            ruler: NoteRuler(width: setup.width), height: setup.height, capacity: setup.capacity,
            prefetch: setup.prefetch)
        try open(setup.lines / 2, 1)
        try settleStep()
    }

    /// The first property that a script breaks.
    static func run(_ script: [Action], _ setup: Setup) -> Violation? {
        var tally: [String: Int] = [:]
        return run(script, setup, &tally)
    }

    /// - Parameter tally: counts the events of the script.
    static func run(_ script: [Action], _ setup: Setup, _ tally: inout [String: Int]) -> Violation? {
        do {
            var walk = try Walk(setup)
            for (index, action) in script.enumerated() {
                do { try walk.take(action) } catch let violation as Violation {
                    throw Violation(property: violation.property, text: "step \(index) \(action): \(violation.text)")
                }
            }
            tally.merge(walk.tally, uniquingKeysWith: +)
            return nil
        } catch let violation as Violation {
            return violation
        } catch {
            return Violation(property: .unforeseen, text: "\(error)")
        }
    }

    mutating func take(_ action: Action) throws {
        try perform(action)
        try settleStep()
    }

    private mutating func perform(_ action: Action) throws {
        switch action {
        case .scroll(let rows): try userMove(rows) { $0.scroll(by: rows) }
        case .screen(let screens):
            let rows = screens * max(1, timeline.viewport.height - 2)
            try userMove(rows) { $0.scrollScreen(by: rows) }
        case .select(0): break
        case .select(let steps): try userMove(nil) { for _ in 0..<abs(steps) { $0.moveSelection(by: steps.signum()) } }
        case .click(let row): try click(row % timeline.viewport.height)
        case .resize(let width, let height): try resize(max(1, width), max(1, height))
        case .jump(let number, let alignment): try jump(number, Alignment.allCases[abs(alignment) % 4])
        case .home: try home()
        case .end: try end()
        case .open(let number, let alignment): try open(number, alignment)
        case .remember: remember()
        case .comeBack(let number): try comeBack(number)
        case .answer(let number, let reading): try answer(number, reading)
        case .answerBoth(let first, let second): try answerBoth(first, second)
        case .fail(let number): try fail(number)
        case .retry(let number): try retry(number)
        case .late(let number): try late(number)
        case .arrive(let length): try change { $0.talk.append(length: max(1, length)) }
        case .edit(let number, let length): try edit(number, length: max(1, length))
        case .remove(let number): try remove(number)
        case .insert(let number, let length): try insert(number, length: max(1, length))
        case .sync(let seed, let changes): try sync(seed, changes)
        case .typing(let rows): try typing(abs(rows) % 2)
        case .travel(let screens): try travel(screens)
        case .wobble(let seed, let sizes): try wobble(seed, sizes)
        case .excursion(let seed, let moves): try excursion(seed, moves)
        }
    }

    var height: Int { timeline.viewport.height }
    var cells: Cells { timeline.cells }

    var before: Before {
        Before(
            cells: cells, width: width, notes: timeline.notes, following: timeline.viewport.isFollowing,
            isWhole: wholeScreen != nil, hasOlder: timeline.hasOlder, hasNewer: timeline.hasNewer,
            rowsAbove: timeline.viewport.top - timeline.layout.top)
    }

    mutating func count(_ what: String) { tally[what, default: 0] += 1 }

    func require(_ property: Property, _ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw Violation(property: property, text: text()) }
    }

    /// Remembers the row that must stay after a move of the user: the first row of the selected note's content on the
    /// screen, else the first of all.
    mutating func rememberPlace() {
        let cells = cells.compactMap { $0 }.filter(\.isContent)
        anchor = cells.first { $0.id == timeline.selection } ?? cells.first
        trail = Trail(width: width, height: height, cells: self.cells, revision: revision)
    }
}
