import Foundation
import Synchronization
import Testing

// Screens that tests expect: as a literal next to the keys that made it, or in a file of fixtures/screens.
// `UPDATE=1 swift test --filter ScreenTests` writes today's screens into both; git diff then shows what has changed.

/// Compares rows without the blanks at their ends and, where the test is about something else, without the scroll bar.
func expect(
    _ screen: String, _ expected: String, ignoringBar: Bool = false, file: String = #filePath,
    location: SourceLocation = #_sourceLocation
) {
    func rows(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { row in
            var row = row
            if ignoringBar, let last = row.last, "│┃".contains(last) { row.removeLast() }
            while row.last == " " { row.removeLast() }
            return String(row)
        }
    }
    if ExpectedScreens.areUpdated, rows(screen) != rows(expected) {
        ExpectedScreens.write(rows(screen), at: location, of: file)
    } else {
        #expect(rows(screen) == rows(expected), "\n\(screen)", sourceLocation: location)
    }
}

/// Compares screens of several sizes with a file of fixtures/screens.
func expect(_ screens: [String], inFile name: String, location: SourceLocation = #_sourceLocation) throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../fixtures/screens").standardizedFileURL
    let file = folder.appending(path: name + ".txt")
    let text = screens.joined(separator: "\n\n") + "\n"
    if ExpectedScreens.areUpdated {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    } else {
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(text == expected, "\n\(text)", sourceLocation: location)
    }
}

enum ExpectedScreens {
    static let areUpdated = ProcessInfo.processInfo.environment["UPDATE"] == "1"

    /// The lines that a literal has gained, by the file and the line where its test was compiled.
    private static let gains = Mutex<[String: [(line: Int, gain: Int)]]>([:])

    /// Replaces the literal of the call at a place. An error of the file fails the test.
    static func write(_ rows: [String], at location: SourceLocation, of file: String) {
        gains.withLock { gains in
            do {
                let gained = (gains[file] ?? []).filter { $0.line < location.line }.reduce(0) { $0 + $1.gain }
                let text = try String(contentsOfFile: file, encoding: .utf8)
                let (new, gain) = try #require(replaced(in: text, from: location.line - 1 + gained, with: rows))
                try new.write(toFile: file, atomically: true, encoding: .utf8)
                gains[file, default: []].append((location.line, gain))
            } catch {
                Issue.record(error, sourceLocation: location)
            }
        }
    }

    /// The text with other rows in the first literal of several lines from a line on, and the lines that it gains; nil without
    /// a literal.
    static func replaced(in text: String, from line: Int, with rows: [String]) -> (text: String, gain: Int)? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let quotes = lines.indices.filter { $0 >= line && lines[$0].drop { $0 == " " }.hasPrefix("\"\"\"") }
        guard quotes.count > 1 else { return nil }
        let (start, end) = (quotes[0] + 1, quotes[1])
        let indent = lines[end].prefix { $0 == " " }
        let new = rows.map { row in
            row.isEmpty ? "" : indent + row.replacing("\\", with: "\\\\").replacing("\"\"\"", with: "\\\"\"\"")
        }
        lines.replaceSubrange(start..<end, with: new)
        return (lines.joined(separator: "\n"), new.count - (end - start))
    }
}
