internal import CCurl

/// The transfers of libcurl. All functions but `wake` belong to the thread of the client.
final class Curl: @unchecked Sendable {
    // libcurl allows curl_multi_wakeup on any thread; the pointer never changes.
    private let all: OpaquePointer

    private static let connectLimit = 20_000

    init?() {
        guard let all = ccurl_create() else { return nil }
        self.all = all
    }

    deinit { ccurl_destroy(all) }

    func wake() { ccurl_wake(all) }

    /// - Parameter number: not 0.
    func add(_ request: HTTPRequest, _ number: Int) -> Bool {
        let texts = ([request.method, request.address] + request.headers).map { Array($0.utf8CString) }
        return Curl.withPointers(texts) { pointers in
            pointers.dropFirst(2).withUnsafeBufferPointer { headers in
                (request.body ?? []).withUnsafeBytes { body in
                    var raw = ccurl_request()
                    raw.method = pointers[0]
                    raw.url = pointers[1]
                    raw.headers = headers.baseAddress
                    if request.body != nil { raw.body = body.assumingMemoryBound(to: CChar.self).baseAddress }
                    raw.body_length = body.count
                    raw.connect_limit = Curl.connectLimit
                    raw.whole_limit = request.wholeLimit
                    raw.silence_limit = request.longestSilence ?? 0
                    raw.longest_body = request.longestBody
                    raw.file = request.file
                    raw.follows = request.follows
                    return ccurl_add(all, &raw, UnsafeMutableRawPointer(bitPattern: number))
                }
            }
        }
    }

    func remove(_ number: Int) { ccurl_remove(all, UnsafeMutableRawPointer(bitPattern: number)) }

    func removeAll(_ numbers: [Int]) { for number in numbers { remove(number) } }

    enum Step {
        /// The number of bytes that the file of the transfer has taken.
        case moved(Int64)
        case ended(Result<HTTPResponse, HTTPFailure>)
    }

    /// Moves all transfers on, tells how, and sleeps until one can move on.
    func run(_ take: (Int, Step) -> Void) {
        var steps: [(Int, Step)] = []
        withUnsafeMutablePointer(to: &steps) { list in
            ccurl_run(
                all, list,
                { list, context, received in Curl.note(.moved(Int64(received)), of: context, in: list) },
                { list, context, end in
                    if let end { Curl.note(.ended(Curl.result(end.pointee)), of: context, in: list) }
                })
        }
        for (number, step) in steps { take(number, step) }
    }

    private static func note(_ step: Step, of context: UnsafeMutableRawPointer?, in list: UnsafeMutableRawPointer?) {
        list?.assumingMemoryBound(to: [(Int, Step)].self).pointee.append((Int(bitPattern: context), step))
    }

    private static func result(_ end: ccurl_end) -> Result<HTTPResponse, HTTPFailure> {
        let body: ResponseBody
        do throws(DiskFailure) {
            body =
                end.body_file < 0
                ? ResponseBody(end.body, count: end.body_length) : try ResponseBody(file: end.body_file)
        } catch {
            return .failure(HTTPFailure(error.description, isOfResponse: true))
        }
        if let refusal = end.refusal {
            return .failure(HTTPFailure(String(cString: refusal), isFinal: true, isOfResponse: true))
        }
        guard end.code == 0 else {
            let reason = end.reason.map { String(cString: $0) } ?? "error \(end.code) of libcurl"
            // Partial file, operation timed out, nothing received, failure to receive, error of a stream of HTTP/2.
            let isOfResponse = [18, 28, 52, 56, 92].contains(end.code)
            return .failure(HTTPFailure(reason, isOfResponse: isOfResponse, isSilence: end.code == 28))
        }
        return .success(
            HTTPResponse(
                status: Int(end.status), body: body, retryAfter: end.retry_after.map { String(cString: $0) }))
    }

    private static func withPointers<Value>(
        _ texts: [[CChar]], _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
        // One block of memory, so that all pointers are valid together.
        let joined = Array(texts.joined())
        return joined.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for text in texts {
                pointers.append(buffer.baseAddress.map { $0 + offset })
                offset += text.count
            }
            return body(pointers + [nil])
        }
    }
}
