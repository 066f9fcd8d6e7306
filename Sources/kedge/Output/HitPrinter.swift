import Display
import Messages
import Search
import Terminal

/// Writes hits while the search goes on: for people in columns, for programs one a line or as one array.
struct HitPrinter {
    /// Rows are held back so long, so that the columns fit the first screen of them.
    private static let patience = Duration.milliseconds(100)

    private let query: Query
    private let isJSON: Bool
    private let isRaw: Bool
    private var columns = Columns()
    /// Rows of the first screen, and until when they wait.
    private var held: [[Cell]] = []
    private var deadline: ContinuousClock.Instant?
    private var isFirstScreen = true
    private(set) var count = 0

    init(query: Query, isJSON: Bool, isRaw: Bool) {
        self.query = query
        self.isJSON = isJSON
        self.isRaw = isRaw
    }

    mutating func print(_ hits: [Hit]) throws {
        if isJSON {
            guard !hits.isEmpty else { return }
            try Output.write((count == 0 ? "[" : ",\n") + JSONText.elements(hits.map(MessageRecord.init)))
        } else if Output.isTerminal {
            held += hits.map(row)
            if !isFirstScreen || isFull(.now) { try printHeld() }
        } else {
            try Table(hits.map(row)).print(isRaw: isRaw)
        }
        count += hits.count
    }

    mutating func finish() throws {
        try printHeld()
        if isJSON { try Output.write(count == 0 ? "[]\n" : "]\n") }
    }

    /// Whether there is enough to know the columns by, or it has been waited for long enough.
    private mutating func isFull(_ now: ContinuousClock.Instant) -> Bool {
        guard !held.isEmpty else { return false }
        let deadline = self.deadline ?? now + HitPrinter.patience
        self.deadline = deadline
        return held.count >= Screen.terminalSize.rows || now >= deadline
    }

    private mutating func printHeld() throws {
        guard !held.isEmpty else { return }
        try Output.print(columns.aligned(held, hasColor: Output.allowsColor))
        held = []
        isFirstScreen = false
    }

    private func row(_ hit: Hit) -> [Cell] {
        [
            Cell(hit.id.description, .time), Cell(Zone.local.minute(hit.at), .time),
            Cell(hit.sender?.name ?? "", .name),
            Cell(hit.text, hits: Output.isTerminal ? query.hits(in: hit.text) : []),
        ]
    }
}
