import Display
import JSON
import Messages
import Search
import Terminal

/// Prints hits during the search: in columns for people, for programs as lines or as one array; or only their number.
struct HitPrinter {
    /// Rows are held back for this time, so that the columns fit all rows of the first screen.
    private static let patience = Duration.milliseconds(100)

    enum Format {
        case rows, json, count
    }

    private let query: Query
    private let format: Format
    private let isRaw: Bool
    private var columns = Columns()
    /// The rows of the first screen, and the time until which they are held back.
    private var held: [[Cell]] = []
    private var deadline: ContinuousClock.Instant?
    private var isFirstScreen = true
    private(set) var count = 0

    init(query: Query, format: Format, isRaw: Bool) {
        self.query = query
        self.format = format
        self.isRaw = isRaw
    }

    mutating func print(_ hits: [Hit]) throws {
        switch format {
        case .count: break
        case .json:
            guard !hits.isEmpty else { return }
            let records = hits.map {
                JSONText($0.message, in: $0.conversation, at: $0.at, sender: $0.sender, text: $0.text)
            }
            try Output.write((count == 0 ? "[" : ",\n") + JSONText.elements(records))
        case .rows where Output.isTerminal:
            held += hits.map(row)
            if !isFirstScreen || isFull(.now) { try printHeld() }
        case .rows: try Table(hits.map(row)).print(isRaw: isRaw)
        }
        count += hits.count
    }

    mutating func finish() throws {
        try printHeld()
        switch format {
        case .count: try Output.print(["\(count)"])
        case .json: try Output.write(count == 0 ? "[]\n" : "]\n")
        case .rows: break
        }
    }

    /// True if the columns can be computed: there are enough rows, or the wait is over.
    private mutating func isFull(_ now: ContinuousClock.Instant) -> Bool {
        guard !held.isEmpty else { return false }
        let deadline = self.deadline ?? now + HitPrinter.patience
        self.deadline = deadline
        return held.count >= Screen.terminalSize.rows || now >= deadline
    }

    private mutating func printHeld() throws {
        guard !held.isEmpty else { return }
        try Output.print(columns.aligned(held, hasColor: Output.allowsColor, limit: Output.columns))
        held = []
        isFirstScreen = false
    }

    private func row(_ hit: Hit) -> [Cell] {
        [
            Cell(hit.id.description, .time), Cell(Zone.local.minute(hit.at), .time),
            Cell(hit.sender?.name ?? "", .name),
            Cell(text: hit.text, files: hit.files, hits: Output.isTerminal ? query.hits(in: hit.text) : []),
        ]
    }
}
