import Testing

@testable import Mirror

struct MirrorStateTests {
    @Test func `a state is read as it was written, whatever its texts hold`() {
        var state = MirrorState(
            key: "irc-1-abc", fingerprint: 0xFFFF_0000_1234_5678, inputs: 2,
            pieces: [
                MirrorState.Piece(segment: 1, first: 0, start: 0, last: 0, end: 4_096, size: nil),
                MirrorState.Piece(segment: 2, first: 0, start: 4_096, last: 1, end: nil, size: 99),
            ], tail: nil)
        #expect(MirrorState(text: state.text(of: "a\tb"), of: "a\tb") == state)
        state.tail = MirrorState.Tail(
            file: "a\tb\\n\n.log", inode: 7, position: 5_000, mark: 1, converter: "2026-03-29\t\\", modified: 3,
            size: 5_010,
            grows: true, setting: "")
        #expect(MirrorState(text: state.text(of: "a\tb"), of: "a\tb") == state)
        let text = state.text(of: "a\tb")
        #expect(MirrorState(text: text, of: "other") == nil)
        // Each bit counts, and each byte at the end.
        for place in text.utf8.indices {
            #expect(MirrorState(text: String(decoding: text.utf8[..<place], as: UTF8.self), of: "a\tb") == nil)
        }
        for place in 0..<text.utf8.count {
            var bytes = Array(text.utf8)
            bytes[place] ^= 1
            #expect(MirrorState(text: String(decoding: bytes, as: UTF8.self), of: "a\tb") == nil, "byte \(place)")
        }
    }

    @Test func `the made pieces are a contiguous range`() {
        let pieces = [nil, 1, 2, nil].enumerated().map { index, size in
            MirrorState.Piece(
                segment: index + 1, first: 0, start: Int64(index), last: 0, end: nil, size: size.map { Int64($0) })
        }
        let state = MirrorState(key: "", fingerprint: 0, inputs: 1, pieces: pieces, tail: nil)
        #expect(state.made == 1..<3)
        #expect(!state.isComplete && !state.hasTail)
    }
}
