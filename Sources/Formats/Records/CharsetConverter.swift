internal import Algorithms

/// Gives a converter of lines each line as UTF-8, whatever the character set of its file.
final class CharsetConverter: Converter {
    private let inner: any Converter
    private let decoder: LineDecoder
    /// Where lines begin in the text that is being converted and in the file, and where the text begins there.
    private var places: [(text: Int, file: Int)] = []
    private var start: Int64 = 0

    /// - Parameter charset: of lines that are no UTF-8; nil if nothing is known of them.
    init(_ inner: any Converter, charset: String?) {
        self.inner = inner
        decoder = LineDecoder(charset)
    }

    var state: String { inner.state }
    func follow(_ state: String) { inner.follow(state) }
    var leavesRest: Bool { inner.leavesRest }

    func convert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int
    {
        guard !decoder.keeps(bytes) else { return inner.convert(bytes, at: offset, isEnd: isEnd, into: &writer) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        start = offset
        defer { places = [] }
        var at = 0
        while at < bytes.count {
            let rest = Bytes(rebasing: bytes[at...])
            let length = rest.lineLength
            // A line is decoded when it is whole.
            guard length < rest.count || isEnd || rest.count > Record.longest else { break }
            places.append((text.count, at))
            decoder.decode(Bytes(rebasing: rest[..<length]), to: &text)
            if length < rest.count { text.append(10) }
            at = min(bytes.count, at + length + 1)
        }
        places.append((text.count, at))
        guard at > 0 else { return 0 }
        let known = writer.problems.count
        let used = text.withUnsafeBytes {
            inner.convert($0, at: offset, isEnd: isEnd && at == bytes.count, into: &writer)
        }
        writer.move(problemsFrom: known) { place(of: $0) }
        return Int(place(of: offset + Int64(used)) - offset)
    }

    /// Where a line stands in the file that stands at an offset for the inner converter.
    func place(of offset: Int64) -> Int64 {
        guard !places.isEmpty else { return offset }
        return start + Int64(places[max(0, places.partitioningIndex { $0.text > offset - start } - 1)].file)
    }
}
