/// The fields of a message that Kedge reads, found in one pass.
struct DiscordFields {
    var id, type, timestamp, edited, content, author, attachments, embeds, stickers, reactions, mentions, reference,
        forwarded,
        interaction: JSONValue?

    init(_ record: JSONValue) {
        record.forEachSetField { set($0, $1) }
    }

    private mutating func set(_ name: Bytes, _ value: JSONValue) {
        switch name.count {
        case 2: if name == "id" { id = value }
        case 4: if name == "type" { type = value }
        case 6:
            if name == "author" { author = value } else if name == "embeds" { embeds = value }
        case 7: if name == "content" { content = value }
        case 8:
            if name == "stickers" { stickers = value } else if name == "mentions" { mentions = value }
        case 9:
            if name == "timestamp" {
                timestamp = value
            } else if name == "reactions" {
                reactions = value
            } else if name == "reference" {
                reference = value
            }
        case 11:
            if name == "attachments" { attachments = value } else if name == "interaction" { interaction = value }
        case 15: if name == "timestampEdited" { edited = value }
        case 16: if name == "forwardedMessage" { forwarded = value }
        default: break
        }
    }
}
