import Messages

extension Attachment {
    private static let endings = [".png", ".jpg", ".jpeg", ".gif", ".webp"]

    /// Whether its name is that of a picture. The file itself may be something else.
    var isPicture: Bool {
        let name = name.suffix(8).lowercased()
        return Attachment.endings.contains { name.hasSuffix($0) }
    }
}
