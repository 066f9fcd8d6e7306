/// The setting of a feed: how its lines begin, whether the export holds files, whether nobody has the
/// name of the chat, the character set of lines that are no UTF-8, and the orders of its dates.
/// (`brackets files group =CP1251 0:dmy 81233:mdy`)
struct WhatsAppSetting {
    var style = WhatsAppStyle.dash
    var hasFiles = false
    var isGroup = false
    var charset: String?
    var runs: [(start: Int64, order: DateOrder)] = []

    init(style: WhatsAppStyle, hasFiles: Bool) { (self.style, self.hasFiles) = (style, hasFiles) }

    init(_ text: String) {
        for word in text.split(separator: " ") {
            let pair = word.split(separator: ":")
            style = WhatsAppStyle(rawValue: String(word)) ?? style
            if word == "files" { hasFiles = true }
            if word == "group" { isGroup = true }
            if word.hasPrefix("=") { charset = String(word.dropFirst()) }
            if pair.count == 2, let start = Int64(pair[0]), let order = DateOrder(rawValue: String(pair[1])) {
                runs.append((start, order))
            }
        }
    }

    var text: String {
        let words =
            [style.rawValue] + (hasFiles ? ["files"] : []) + (isGroup ? ["group"] : [])
            + (charset.map { ["=\($0)"] } ?? [])
        return (words + runs.map { "\($0.start):\($0.order.rawValue)" }).joined(separator: " ")
    }
}
