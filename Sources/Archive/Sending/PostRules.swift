internal import Messages

/// The rules for posts: those about the post itself, and those about the message that it refers to.
enum PostRules {
    /// Encodes a post, and checks that the line can be read again.
    /// - Parameter longest: the most bytes, the line feed included.
    /// - Throws: `notSent` with the error of the post.
    static func line(_ post: Post, longest: Int = LineScanner.longestLine) throws(StoreError) -> [UInt8] {
        if let fault = fault(of: post) { throw .notSent(fault) }
        let line = RecordEncoder.line(post)
        guard line.count <= longest else {
            throw .notSent("the text is too long: \(line.count) bytes, at most \(longest); send it in parts")
        }
        // A line that cannot be read again must not be written; the time, for example, may be out of range.
        if let fault = try fault(of: line) {
            throw .notSent(
                "the message would be unreadable in the archive (\(fault.reason)); check the clock and send again")
        }
        return line
    }

    /// The error that a reader would find in an encoded line; nil if the line can be read.
    /// - Throws: `unavailable` if there is not enough memory.
    private static func fault(of line: [UInt8]) throws(StoreError) -> LineFault? {
        try line.withUnsafeBufferPointer { (bytes) throws(StoreError) in
            let content = Slice(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).dropLast()))
            let line = LogLine(offset: 0, length: bytes.count, isTerminated: true, content: content)
            if case .failure(let fault) = try RecordReader().read(line) { return fault }
            return nil
        }
    }

    private static func fault(of post: Post) -> String? {
        if post.sender.rawValue.isEmpty { return Post.withoutSender }
        if post.id.rawValue.isEmpty { return "a message without an ID cannot be sent; give it one" }
        switch post.content {
        case .message(let text, _, _), .edit(_, let text):
            return text.unicodeScalars.allSatisfy(isBlank) ? "there is no text; write something" : nil
        case .reaction(_, let emoji, _):
            return emoji.unicodeScalars.allSatisfy(isBlank) ? "there is no emoji to react with; name one" : nil
        case .deletion: return nil
        }
    }

    /// True if a character is invisible.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format: true
        default: scalar.properties.isWhitespace
        }
    }

    /// The reason why a post cannot apply to the current state of a message, in one line; nil if it can.
    static func fault(of post: Post, about message: FoldedMessage) -> String? {
        let name = "\"\(printable(message.stored.id.rawValue))\""
        let isTextChange: Bool
        switch post.content {
        case .message: return nil
        case .edit, .deletion: isTextChange = true
        case .reaction: isTextChange = false
        }
        if isTextChange, message.stored.sender != post.sender {
            let author = message.stored.sender.map { "by \"\(printable($0.rawValue))\"" } ?? "by nobody"
            return "\(name) is \(author), not by \"\(printable(post.sender.rawValue))\"; only its author can change it"
        }
        if message.stored.kind == .system, case .edit = post.content {
            return "\(name) tells of an event, and cannot be edited; write a message"
        }
        if message.isDeleted { return "\(name) is deleted; reply to it, or leave it" }
        return nil
    }
}

extension Post {
    /// The messages that must exist for this post.
    var references: [MessageID] {
        switch content {
        case .message(_, let replyTo, let thread): [replyTo, thread].compactMap(\.self)
        case .edit(let target, _), .deletion(let target), .reaction(let target, _, _): [target]
        }
    }
}
