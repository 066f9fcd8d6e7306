internal import Formats
internal import JSON
internal import Messages
internal import Relay

extension Receipt {
    /// The receipts in events of a room (`m.receipt`), public and private ones.
    static func all(in events: LongJSON) -> [Receipt] {
        var receipts: [Receipt] = []
        for event in events.elements where event["type"]?.string == "m.receipt" { take(event, into: &receipts) }
        return receipts
    }

    /// The most receipts of a room to read from one response: only a few of the newest are shown.
    private static let most = 50_000

    /// - Parameter value: an event `m.receipt`.
    static func take(_ value: LongJSON, into receipts: inout [Receipt]) {
        guard let content = value["content"] else { return }
        for (event, kinds) in content.fields where event.hasPrefix("$") {
            for kind in ["m.read", "m.read.private"] {
                guard let people = kinds[kind] else { continue }
                for (person, value) in people.fields where UserID.isValid(person) && value.isObject {
                    guard receipts.count < most, let value = value.value else { break }
                    receipts.append(
                        Receipt(
                            person: PersonID(person), message: MessageID(event),
                            scope: Reader.Scope(thread: value["thread_id"]?.string),
                            at: Timestamp(milliseconds: value["ts"]?.integer ?? 0)))
                }
            }
        }
    }
}
