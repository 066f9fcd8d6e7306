/// The fields of a message that Kedge reads, found in one pass.
struct SlackFields {
    var ts, thread, user, bot, username, subtype, text, blocks, attachments, files, file, comment, edited, reactions,
        replies,
        profile, botProfile, hidden, room: JSONValue?

    init(_ record: JSONValue) {
        record.forEachSetField { set($0, $1) }
    }

    private mutating func set(_ name: Bytes, _ value: JSONValue) {
        switch name.count {
        case 2: if name == "ts" { ts = value }
        case 4:
            if name == "text" {
                text = value
            } else if name == "user" {
                user = value
            } else if name == "file" {
                file = value
            } else if name == "room" {
                room = value
            }
        case 5: if name == "files" { files = value }
        case 6:
            if name == "blocks" {
                blocks = value
            } else if name == "bot_id" {
                bot = value
            } else if name == "edited" {
                edited = value
            } else if name == "hidden" {
                hidden = value
            }
        case 7: if name == "subtype" { subtype = value } else if name == "comment" { comment = value }
        case 8: if name == "username" { username = value }
        case 9: if name == "thread_ts" { thread = value } else if name == "reactions" { reactions = value }
        case 11:
            if name == "attachments" { attachments = value } else if name == "bot_profile" { botProfile = value }
        case 12: if name == "user_profile" { profile = value }
        case 24: if name == "slackdump_thread_replies" { replies = value }
        default: break
        }
    }
}
