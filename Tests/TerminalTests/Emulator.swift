import Display
import Foundation
import Testing

/// A terminal made by others, which shows how bytes look: a tmux server of its own with two panes of any size, in which
/// no program draws. Nothing here sleeps; every wait is a poll.
final class Emulator {
    /// A piece of a row with one look.
    struct Piece: Hashable, CustomStringConvertible {
        var text: String
        let look: Look

        var description: String { "'\(text)' \(look)" }
    }

    /// The state of SGR sequences: the attributes, and the parameters of the colours.
    struct Look: Hashable, CustomStringConvertible {
        var attributes: Set<Int> = []
        var foreground: [Int] = []
        var background: [Int] = []

        /// Without the parts of a look that a blank does not show. (ncurses erases such blanks instead of writing
        /// them.)
        var ofBlank: Look {
            Look(attributes: attributes.intersection([4, 7]), foreground: foreground, background: background)
        }

        var description: String { "\(attributes.sorted()) \(foreground) \(background)" }
    }

    /// The visible contents. Blanks at the end of a row that look plain are left out.
    struct Shown: Hashable {
        var rows: [[Piece]]
        /// The number of columns of each row's characters: the width of the screen, unless half of a wide character is
        /// left somewhere.
        var columns: [Int]
        /// The place of the cursor, unless it is hidden.
        var cursor: String?

        /// Without looks and without blanks at the ends of the rows, like `Frame.text`.
        var text: String { rows.map { $0.map(\.text).joined().withoutBlanks }.joined(separator: "\n") }
    }

    struct Failure: Error { let what: String }

    private let socket = "kedge-frames-\(UUID().uuidString)"
    private var panes: [Pane] = []

    private struct Pane {
        let id: String
        let descriptor: Int32
        var size: (columns: Int, rows: Int)?
        /// The number of end marks written to it.
        var ends = 0
        /// Whether it has taken everything that was written to it.
        var isSettled = false
    }

    init() throws {
        let idle = "'stty raw -echo; printf \"\\033]2;0\\007\"; exec cat'"
        // The server outlives the shell and would keep its pipe open, so it gets none.
        _ = try run("-f /dev/null new-session -d \(idle) </dev/null >/dev/null 2>&1")
        _ = try run("set-option -g status off")
        _ = try run("new-window -d \(idle)")
        panes = try run("list-panes -s -F '#{pane_id} #{pane_tty}'").split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            let descriptor = words.count == 2 ? open(words[1], O_WRONLY | O_NOCTTY | O_CLOEXEC) : -1
            guard descriptor >= 0 else { throw Failure(what: "no terminal: \(line)") }
            return Pane(id: words[0], descriptor: descriptor)
        }
        for pane in panes.indices { try wait(for: pane) }
    }

    deinit {
        for pane in panes { close(pane.descriptor) }
        _ = try? run("kill-server")
    }

    /// Writes outputs for screens of some sizes into each pane, one after another, beginning with an empty pane, and
    /// returns the contents.
    func show(_ outputs: [[(columns: Int, rows: Int, bytes: String)]]) throws -> [Shown] {
        for (index, chunks) in outputs.enumerated() {
            for (number, chunk) in chunks.enumerated() {
                try resize(index, chunk.columns, chunk.rows)
                try write((number == 0 ? "\u{1B}[?1049l\u{1B}c" : "") + chunk.bytes, to: index)
            }
            try writeEnd(to: index)
        }
        return try outputs.indices.map { index in
            let cursor = try wait(for: index).cursor
            // One more column with a character in it marks the end of each row.
            guard let (columns, rows) = panes[index].size else { throw Failure(what: "no size") }
            try resize(index, columns + 1, rows)
            try write((1...rows).map { "\u{1B}[\($0);\(columns + 1)H\u{1B}[m|" }.joined(), to: index)
            try writeEnd(to: index)
            let lines = try wait(for: index).lines
            let texts = Self.rows(lines)
            return Shown(
                rows: texts.map(Self.trimmed), columns: texts.map { Self.columns($0) - 1 },
                cursor: cursor.isEmpty ? nil : cursor)
        }
    }

    private func resize(_ index: Int, _ columns: Int, _ rows: Int) throws {
        if let size = panes[index].size, size == (columns, rows) { return }
        // Earlier output belongs to the old size.
        if !panes[index].isSettled {
            try writeEnd(to: index)
            try wait(for: index)
        }
        _ = try run("resize-window -t \(panes[index].id) -x \(columns) -y \(rows)")
        panes[index].size = (columns, rows)
    }

    private func write(_ text: String, to index: Int) throws {
        panes[index].isSettled = false
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(panes[index].descriptor, $0.baseAddress, $0.count) }
            guard written > 0 || errno == EINTR else { throw Failure(what: "nothing takes what is written") }
            rest = rest.dropFirst(max(0, written))
        }
    }

    private func writeEnd(to index: Int) throws {
        panes[index].ends += 1
        try write("\u{1B}]2;\(panes[index].ends)\u{7}", to: index)
    }

    /// Polls until a pane has taken everything that was written to it, which its title shows.
    @discardableResult
    private func wait(for index: Int) throws -> (cursor: String, lines: [Substring]) {
        let deadline = Date(timeIntervalSinceNow: 30)
        let id = panes[index].id
        let format = "'#{pane_title} #{?cursor_flag,#{cursor_y}:#{cursor_x},}'"
        while true {
            let output = try run("display-message -p -t \(id) \(format) \\; capture-pane -peN -t \(id)")
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
            let state = lines.first?.split(separator: " ") ?? []
            if state.first == "\(panes[index].ends)" {
                panes[index].isSettled = true
                return (state.count > 1 ? String(state[1]) : "", Array(lines.dropFirst().dropLast()))
            }
            guard Date() < deadline else { throw Failure(what: "the terminal is stuck at '\(lines[0])'") }
        }
    }

    /// Runs by the shell, whose pipe needs no run loop.
    private func run(_ command: String) throws -> String {
        guard let pipe = popen("LC_ALL=C.UTF-8 tmux -u -L \(socket) \(command)", "r") else {
            throw Failure(what: "no shell")
        }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { output += buffer[..<count] }
        guard pclose(pipe) == 0 else { throw Failure(what: "tmux \(command)") }
        return String(decoding: output, as: UTF8.self)
    }
}

// MARK: - Cells as tmux describes them

extension Emulator {
    /// Parses rows with SGR sequences, whose looks continue from row to row.
    static func rows(_ lines: some Sequence<Substring>) -> [[Piece]] {
        var look = Look()
        return lines.map { line in
            var row: [Piece] = []
            for (index, part) in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated() {
                var text = part
                if index > 0, let end = part.firstIndex(of: "m") {
                    look.set(part[..<end].split(whereSeparator: { $0 == ";" || $0 == ":" }).compactMap { Int($0) })
                    text = part[part.index(after: end)...]
                }
                while let first = text.first {
                    let run = text.prefix { ($0 == " ") == (first == " ") }
                    let runLook = first == " " ? look.ofBlank : look
                    if row.last?.look == runLook {
                        row[row.count - 1].text += run
                    } else {
                        row.append(Piece(text: String(run), look: runLook))
                    }
                    text = text[run.endIndex...]
                }
            }
            return row
        }
    }

    private static func columns(_ row: [Piece]) -> Int {
        row.reduce(0) { $0 + $1.text.unicodeScalars.reduce(0) { $0 + Width.columns(of: $1) } }
    }

    /// Without the end mark, and the blanks before it.
    private static func trimmed(_ row: [Piece]) -> [Piece] {
        guard let end = row.last, end.text.last == "|" else { return row }
        var row = row
        row[row.count - 1].text.removeLast()
        if row[row.count - 1].text.isEmpty { row.removeLast() }
        guard let last = row.last, last.look == Look() else { return row }
        let text = last.text.withoutBlanks
        row[row.count - 1].text = text
        return text.isEmpty ? row.dropLast() : row
    }
}

extension Emulator.Look {
    fileprivate mutating func set(_ parameters: [Int]) {
        guard let first = parameters.first, first != 0 else {
            self = Self()
            if parameters.count > 1 { set(Array(parameters.dropFirst())) }
            return
        }
        switch first {
        case 30...37, 90...97: foreground = [first]
        case 40...47, 100...107: background = [first]
        case 38: return foreground = parameters
        case 48: return background = parameters
        case 39: foreground = []
        case 49: background = []
        default: attributes.insert(first)
        }
        if parameters.count > 1 { set(Array(parameters.dropFirst())) }
    }
}

extension String {
    fileprivate var withoutBlanks: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
