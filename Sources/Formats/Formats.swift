/// All formats that Kedge reads, apart from its own.
package enum Formats {
    /// The stricter ones first: the first that is certain wins.
    package static let all: [any Format] = [
        TelegramFormat(),
        TelegramHTMLFormat(),
        DiscordFormat(),
        DiscordHTMLFormat(),
        DiscordCSVFormat(),
        DiscordPackageFormat(),
        MatrixFormat(),
        ElementHTMLFormat(),
        SlackFormat(),
        MessengerFormat(),
        MessengerHTMLFormat(),
        SignalFormat(),
        AssistantFormat(),
        MattermostFormat(),
        ZulipFormat(),
        ZulipServerFormat(),
        PidginFormat(),
        AdiumFormat(),
        AppleMessagesFormat(),
        MailboxFormat(),
        WhatsAppFormat(),
        IRCFormat(),
    ]
}
