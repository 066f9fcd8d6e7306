import TestSupport

/// The history of room `!r`: the events 1 to `count`, as the responses to requests for them. The token `t5` stands before event 5.
struct ScriptedHistory {
    let count: Int
    /// The most events of a page.
    var page = 2

    /// Whether each event is years older than the one before it, by its sender's clock.
    var isSkewed = false

    /// An event whose time is its number, in hundredths of a second.
    static func event(_ number: Int) -> String { ScriptedHistory(count: 0).event(number) }

    static func events(_ numbers: some Sequence<Int>) -> [String] { numbers.map(event) }

    private func event(_ number: Int) -> String {
        let time = isSkewed ? (400 - number) * 35_000_000_000 : number * 10
        return Events.text("\(number)").replacing(":1000,", with: ":\(time),")
    }

    func events(_ numbers: some Sequence<Int>) -> [String] { numbers.map(event) }

    private static func number(_ token: String?) -> Int? { token.flatMap { Int($0.dropFirst()) } }

    /// A page or a context; nil for another request.
    func response(_ request: ScriptedServer.Request) -> ScriptedServer.Response? {
        if let range = request.path.firstRange(of: "/context/%24") {
            return context(Int(request.path[range.upperBound...]) ?? 0, size: request.parameter("limit") == "0" ? 0 : 2)
        }
        guard request.path.hasSuffix("/messages"), let from = ScriptedHistory.number(request.parameter("from")) else {
            return nil
        }
        let to = ScriptedHistory.number(request.parameter("to"))
        let limit = min(page, request.parameter("limit").flatMap { Int($0) } ?? page)
        if request.parameter("dir") == "f" {
            let end = to ?? count + 1
            let page = Array((from..<max(from, end)).prefix(limit))
            return .init(
                Events.page(
                    events(page), end: page.last.flatMap { $0 + 1 < end ? "t\($0 + 1)" : nil }))
        }
        let end = to ?? 1
        let page = Array((end..<max(from, end)).reversed().prefix(limit))
        return .init(Events.page(events(page), end: page.last.flatMap { $0 > end ? "t\($0)" : nil }))
    }

    private func context(_ middle: Int, size: Int) -> ScriptedServer.Response {
        guard (1...count).contains(middle) else {
            return .init(#"{"errcode":"M_NOT_FOUND","error":"Event not found."}"#, status: 404)
        }
        let (first, last) = (max(middle - size, 1), min(middle + size, count))
        let after = events(middle + 1..<last + 1).joined(separator: ",")
        let before = events((first..<middle).reversed()).joined(separator: ",")
        return .init(
            #"{"start":"t\#(first)","end":"t\#(last + 1)","event":\#(event(middle)),"#
                + #""events_before":[\#(before)],"events_after":[\#(after)]}"#)
    }
}
