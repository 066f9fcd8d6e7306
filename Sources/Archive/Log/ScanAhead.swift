internal import Messages
internal import Threads

/// Looks through every second piece of a log on a thread of its own, while the thread that has made it looks through the
/// others: two processors copy and compare twice as many bytes.
final class ScanAhead: Sendable {
    /// Pieces that it may be ahead: the lines that it finds are kept until they are asked for.
    private static let lead = 3

    private struct State {
        /// The piece that the other thread is at.
        var position = 0
        var found: [Int: Result<[Range<Int64>], StoreError>] = [:]
        var isOver = false
    }

    private let state = Monitor(State())

    /// Nil when the system gives no thread.
    init?(_ pieces: [LogPiece], _ filter: IDFilter) {
        guard let thread = try? SerialThread.started() else { return nil }
        thread.run { [state] in
            for index in stride(from: 1, to: pieces.count, by: 2) {
                let isWanted = state.wait { state -> Bool? in
                    state.isOver ? false : index <= state.position + ScanAhead.lead ? true : nil
                }
                guard isWanted else { return }
                let found = ScanAhead.lines(in: pieces[index], filter)
                state.change { $0.found[index] = found }
            }
        }
    }

    /// The lines of a piece in which the filter finds something; nil for a piece that is not looked through here. To be
    /// called for all pieces, in their order.
    /// - Throws: what reading throws.
    func lines(ofPiece index: Int) throws(StoreError) -> [Range<Int64>]? {
        state.change { $0.position = index }
        if index.isMultiple(of: 2) { return nil }
        return try state.wait { $0.found.removeValue(forKey: index) }.get()
    }

    /// Nothing more is wanted.
    func stop() { state.change { $0.isOver = true } }

    private static func lines(
        in piece: LogPiece, _ filter: IDFilter
    ) -> Result<[Range<Int64>], StoreError> {
        do throws(StoreError) {
            var found: [Range<Int64>] = []
            var lines = try IDScan(try File(piece.path), piece.range, filter)
            while let line = try lines.next() { found.append(line) }
            return .success(found)
        } catch {
            return .failure(error)
        }
    }
}
