package import Formats
internal import Messages

extension RelayRequest {
    /// With its line feed.
    package var line: [UInt8] {
        let content =
            switch content {
            case .hello(let version): "\"hello\":\(version)"
            case .fill(let conversation, let segment, let side, let limit):
                "\"fill\":{\(RelayRequest.head(conversation)),\"segment\":\(JSONString.text(segment)),"
                    + "\"side\":\"\(side.rawValue)\",\"limit\":\(limit)}"
            case .around(let conversation, let event):
                "\"around\":{\(RelayRequest.head(conversation)),\"event\":\(JSONString.text(event.rawValue))}"
            case .send(let conversation, let post):
                "\"send\":{\(RelayRequest.head(conversation)),\"post\":\(post.relayed)}"
            case .read(let conversation, let event, let receipt):
                "\"read\":{\(RelayRequest.head(conversation)),\"event\":\(JSONString.text(event.rawValue)),"
                    + "\"receipt\":\"\(receipt.rawValue)\"}"
            case .typing(let conversation, let isOn):
                "\"typing\":{\(RelayRequest.head(conversation)),\"on\":\(isOn)}"
            case .follow(let conversation, let isOn):
                "\"follow\":{\(RelayRequest.head(conversation)),\"on\":\(isOn)}"
            case .renewed: "\"renewed\":true"
            case .media(let conversation, let event):
                "\"media\":{\(RelayRequest.head(conversation)),\"event\":\(JSONString.text(event.rawValue))}"
            case .search(let search): "\"search\":{\(search.fields)}"
            case .join(let address): "\"join\":{\"address\":\(JSONString.text(address))}"
            case .decline(let room): "\"decline\":{\"room\":\(JSONString.text(room))}"
            case .leave(let conversation): "\"leave\":{\(RelayRequest.head(conversation))}"
            case .members(let conversation): "\"members\":{\(RelayRequest.head(conversation))}"
            case .history: "\"history\":true"
            }
        return Array("{\"n\":\(number),\(content)}\n".utf8)
    }

    private static func head(_ conversation: ConversationID) -> String {
        "\"conversation\":\(JSONString.text(conversation.rawValue))"
    }

    /// Nil if the line is no request.
    package init?(line: Bytes) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(line), let number = value.count("n"), let content = Content(value) else {
            return nil
        }
        self.init(number, content)
    }
}

extension RelayRequest.Content {
    fileprivate init?(_ value: JSONValue) {
        if let version = value.count("hello") {
            self = .hello(version: version)
        } else if let fill = value["fill"] {
            guard let conversation = fill.conversation, let segment = fill["segment"]?.string,
                let side = fill["side"]?.string.flatMap({ RelayRequest.Side(rawValue: $0) }),
                let limit = fill.count("limit"), limit > 0
            else { return nil }
            self = .fill(conversation, segment: segment, side: side, limit: limit)
        } else if let around = value["around"] {
            guard let conversation = around.conversation, let event = around.message("event") else { return nil }
            self = .around(conversation, event)
        } else if let send = value["send"] {
            guard let conversation = send.conversation, let post = send["post"].flatMap({ Post(relayed: $0) }) else {
                return nil
            }
            self = .send(conversation, post)
        } else if let read = value["read"] {
            guard let conversation = read.conversation, let event = read.message("event") else { return nil }
            let receipt = read["receipt"]?.string.flatMap { ReadReceipt(rawValue: $0) }
            self = .read(conversation, event, receipt ?? .private)
        } else if let typing = value["typing"] {
            guard let conversation = typing.conversation else { return nil }
            self = .typing(conversation, isOn: typing["on"]?.isTrue == true)
        } else if let follow = value["follow"] {
            guard let conversation = follow.conversation else { return nil }
            self = .follow(conversation, isOn: follow["on"]?.isTrue == true)
        } else if value["renewed"]?.isTrue == true {
            self = .renewed
        } else if let media = value["media"] {
            guard let conversation = media.conversation, let event = media.message("event") else { return nil }
            self = .media(conversation, event)
        } else if let search = value["search"].flatMap({ RelaySearch(relayed: $0) }) {
            self = .search(search)
        } else if let join = value["join"] {
            guard let address = join["address"]?.string, !address.isEmpty else { return nil }
            self = .join(address: address)
        } else if let decline = value["decline"] {
            guard let room = decline["room"]?.string, !room.isEmpty else { return nil }
            self = .decline(room: room)
        } else if let leave = value["leave"] {
            guard let conversation = leave.conversation else { return nil }
            self = .leave(conversation)
        } else if let members = value["members"] {
            guard let conversation = members.conversation else { return nil }
            self = .members(conversation)
        } else if value["history"]?.isTrue == true {
            self = .history
        } else {
            return nil
        }
    }
}
