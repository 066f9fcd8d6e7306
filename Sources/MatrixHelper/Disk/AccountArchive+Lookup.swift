internal import Formats

/// What the logs hold about single events. Only their newest segments are searched.
extension AccountArchive {
    /// The person who sent a message.
    func author(of event: String, in room: String) -> String? {
        log(ofKnown: room)?.last(with: "\"id\":\(JSONString.text(event))") { value in
            value["id"]?.string == event ? value["from"]?.string : nil
        }
    }

    /// The event that was sent with a transaction of this account.
    func event(ofTransaction id: String, in room: String) -> String? {
        log(ofKnown: room)?.last(with: "\"transaction\":\(JSONString.text(id))") { value in
            value["transaction"]?.string == id ? value["id"]?.string : nil
        }
    }

    /// The reaction of this account to an event, unless it was taken back.
    func ownReaction(to event: String, emoji: String, in room: String) -> String? {
        let last = log(ofKnown: room)?.last(with: "\"target\":\(JSONString.text(event))") { value -> (String, Bool)? in
            guard value["type"]?.string == "reaction", value["target"]?.string == event,
                value["from"]?.string == me, value["emoji"]?.string == emoji, let id = value["id"]?.string
            else { return nil }
            return (id, value["removed"]?.isTrue == true)
        }
        return last.flatMap { id, isRemoved in isRemoved ? nil : id }
    }
}
