import Testing

@testable import Matrix

struct RetryTests {
    private func error(_ status: Int, _ body: String = "{}") -> ServerError {
        body.asBody { ServerError(status: status, body: $0) }
    }

    @Test func `pauses grow to a minute, and begin anew after a response`() {
        var retry = Retry()
        let pauses = (0..<9).map { _ in retry.failed(jitter: 0) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .pause($0 * 1_000) })
        retry.succeeded()
        #expect(retry.failed(error(502), hasToken: true, jitter: 1) == .pause(1_500))
    }

    @Test func `a server that names a pause gets it, within reason`() {
        var retry = Retry()
        func asked(_ pause: Int) -> ServerError {
            error(429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":\#(pause)}"#)
        }
        #expect(retry.failed(asked(2_500), hasToken: true, jitter: 1) == .pause(2_500))
        #expect(retry.failed(asked(0), hasToken: true, jitter: 1) == .pause(100))
        #expect(retry.failed(asked(900_000_000), hasToken: true, jitter: 1) == .pause(600_000))
    }

    @Test func `a refused token of the session ends it`() {
        var retry = Retry()
        let soft = error(401, #"{"errcode":"M_UNKNOWN_TOKEN","soft_logout":true}"#)
        #expect(retry.failed(soft, hasToken: true, jitter: 0) == .loggedOut(isSoft: true))
        let hard = error(401, #"{"errcode":"M_UNKNOWN_TOKEN"}"#)
        #expect(retry.failed(hard, hasToken: true, jitter: 0) == .loggedOut(isSoft: false))
    }

    @Test func `a token that the server does not know is left out, once there was one`() {
        var retry = Retry()
        let unknown = error(400, #"{"errcode":"M_UNKNOWN","error":"Invalid stream token"}"#)
        #expect(retry.failed(unknown, hasToken: true, jitter: 0) == .restart)
        guard case .giveUp = retry.failed(unknown, hasToken: false, jitter: 0) else {
            Issue.record("another try would be refused again")
            return
        }
    }

    @Test func `an error of a proxy is waited out, and a refusal of the server is not`() {
        var retry = Retry()
        #expect(retry.failed(error(404, "<html>"), hasToken: true, jitter: 0) == .pause(1_000))
        guard case .giveUp = retry.failed(error(403, #"{"errcode":"M_FORBIDDEN"}"#), hasToken: true, jitter: 0) else {
            Issue.record("a refusal is no failure of the moment")
            return
        }
    }
}
