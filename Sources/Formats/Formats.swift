/// All formats that Kedge reads, apart from its own.
package enum Formats {
    /// The stricter ones first: the first that is certain wins.
    package static let all: [any Format] = [
        TelegramFormat(),
        TelegramHTMLFormat(),
        DiscordFormat(),
        DiscordHTMLFormat(),
        MatrixFormat(),
        SlackFormat(),
        MessengerFormat(),
        SignalFormat(),
        AssistantFormat(),
        MattermostFormat(),
        ZulipFormat(),
        PidginFormat(),
        AdiumFormat(),
        WhatsAppFormat(),
        IRCFormat(),
    ]
}
