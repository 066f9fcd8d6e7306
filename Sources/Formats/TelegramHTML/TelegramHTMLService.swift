/// A line of the service, which is words alone.
struct TelegramHTMLService {
    let text: String
    /// `join`, `leave`.
    let presence: String?
    /// The name of the person who joined or left; nil for other lines.
    let actor: String?

    init(_ body: Bytes) {
        text = TelegramHTMLText.plain(body)
        var (presence, actor): (String?, String?) = (nil, nil)
        if let place = text.firstRange(of: " joined group by ") {
            (presence, actor) = ("join", String(text[..<place.lowerBound]))
        } else {
            for (verb, kind) in [(" invited ", "join"), (" removed ", "leave")] {
                guard let place = text.firstRange(of: verb), text[..<place.lowerBound] == text[place.upperBound...]
                else {
                    continue
                }
                (presence, actor) = (kind, String(text[..<place.lowerBound]))
            }
        }
        (self.presence, self.actor) = (presence, actor)
    }
}
