internal import Glibc
package import Matrix

/// A request with its address.
package struct HTTPRequest: Sendable {
    let method: String
    let address: String
    let headers: [String]
    let body: [UInt8]?
    /// In milliseconds.
    let wholeLimit: Int
    /// In seconds: the request fails when hardly a byte has come for so long; nil for no such limit.
    let longestSilence: Int?
    let longestBody: Int
    let follows: Bool
    /// The descriptor of a file that takes the body of a response with status 200; -1 for none. It is to stay open until the
    /// response is there.
    let file: CInt

    /// - Parameters:
    ///   - base: the address of the server.
    ///   - token: is sent to this address only: a request with a token follows no redirect.
    ///   - file: the descriptor of a file that takes the body; -1 for none.
    package init(_ request: MatrixRequest, at base: String, token: String?, file: CInt = -1) {
        method = request.method.rawValue
        address = request.address(at: base)
        var headers = [file < 0 ? "Accept: application/json" : "Accept: */*", "User-Agent: kedge"]
        if request.body != nil { headers.append("Content-Type: application/json") }
        // libcurl would ask whether it may send a long body and wait for the reply, which some proxies never send.
        headers.append("Expect:")
        if request.isAuthorized, let token { headers.append("Authorization: Bearer \(token)") }
        self.headers = headers
        body = request.body
        wholeLimit = request.limit
        longestSilence = request.longestSilence
        longestBody = request.longestResponse
        follows = !request.isAuthorized && request.method == .get
        self.file = file
    }
}

/// The body of a response, or a file with one. A long body is a file that is mapped into memory: its pages count only as long as they
/// are read.
package final class ResponseBody: @unchecked Sendable {
    // Nobody writes to the bytes.
    private let start: UnsafeMutableRawPointer?
    private let length: Int
    /// Whether the bytes are in a file.
    let isFile: Bool
    /// Where the body begins in its file.
    private let offset: Int

    /// Takes memory from malloc, which it frees.
    init(_ start: UnsafeMutablePointer<CChar>?, count: Int) {
        (self.start, length, isFile, offset) = (start.map { UnsafeMutableRawPointer($0) }, count, false, 0)
    }

    /// Takes an open file, which it closes.
    /// - Parameter offset: where the body begins.
    /// - Throws: the reason why the file cannot be read.
    init(file: CInt, from offset: Int = 0) throws(DiskFailure) {
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw DiskFailure("a long response", code: errno) }
        (length, self.offset, isFile) = (Int(status.st_size), min(offset, Int(status.st_size)), true)
        let bytes = length > 0 ? mmap(nil, length, PROT_READ, MAP_PRIVATE, file, 0) : nil
        guard bytes != UnsafeMutableRawPointer(bitPattern: -1) else {
            throw DiskFailure("a long response", code: errno)
        }
        start = bytes
    }

    deinit {
        guard isFile else { return free(start) }
        if let start { munmap(start, length) }
    }

    package func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let all = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length)
        return try body(UnsafeRawBufferPointer(rebasing: all[min(offset, all.count)...]))
    }

    /// Calls `body` with the bytes, a piece after the other.
    func forEachPiece<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        try withUnsafeBytes { (bytes) throws(Failure) in
            for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
                let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + (1 << 20), bytes.count)])
                try body(piece)
                release(piece)
            }
        }
    }

    /// Says that a part of the bytes was read: it takes no memory until it is read again.
    func release(_ part: UnsafeRawBufferPointer) {
        guard isFile, let start, let first = part.baseAddress else { return }
        let page = Int(sysconf(CInt(_SC_PAGESIZE)))
        let begin = (first - UnsafeRawPointer(start)) / page * page
        madvise(start + begin, first - UnsafeRawPointer(start) - begin + part.count, MADV_DONTNEED)
    }
}

/// The response to a request, of any status.
package struct HTTPResponse: Sendable {
    package let status: Int
    package let body: ResponseBody
    /// The header Retry-After.
    package let retryAfter: String?
}

/// Why there is no response: one line for people.
package struct HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the caller itself has ended the request.
    package let isCancelled: Bool

    /// Whether another try would fail as well.
    let isFinal: Bool

    /// Whether the server had the request, and did not end its response: it took too long, or was cut off.
    let isOfResponse: Bool

    /// Whether it took too long.
    let isSilence: Bool

    init(
        _ description: String, isCancelled: Bool = false, isFinal: Bool = false, isOfResponse: Bool = false,
        isSilence: Bool = false
    ) {
        (self.description, self.isCancelled) = (description, isCancelled)
        (self.isFinal, self.isOfResponse, self.isSilence) = (isFinal, isOfResponse, isSilence)
    }

    static let cancelled = HTTPFailure("the request was given up", isCancelled: true)
}
