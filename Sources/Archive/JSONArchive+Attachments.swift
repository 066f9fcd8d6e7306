package import Messages

import Glibc

extension JSONArchive {
    /// The path of an attachment's file. The message gives it relative to the conversation's folder or to the archive.
    /// - Throws: `unreadable` with a reason in one line: the file is missing, the message names no file, or the file is
    ///   outside the archive.
    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        let (attachment, conversation) = (file.attachment, file.conversation)
        guard let path = attachment.path, !path.isEmpty else {
            throw .unreadable("\(attachment.name) is not in the archive: the message does not say where it is")
        }
        _ = try folder(of: conversation)
        let folders = ["conversations/\(conversation.rawValue)/", ""]
        for folder in folders {
            do throws(EnclosedFile.Failure) {
                return try EnclosedFile.find(path.hasPrefix("/") ? path : folder + path, in: catalogue.archive)
            } catch {
                if case .missing = error { continue }
                throw .unreadable(reason(error, path))
            }
        }
        throw .unreadable("the file \(path) is missing from the archive")
    }

    /// The path of an attachment's file that the message gives relative to another folder.
    /// - Throws: as above.
    package nonisolated func location(
        of attachment: Attachment, under folder: String
    ) throws(StoreError) -> String {
        guard let path = attachment.path, !path.isEmpty else {
            throw .unreadable("\(attachment.name) is not in the export")
        }
        do throws(EnclosedFile.Failure) {
            return try EnclosedFile.find(path, in: folder)
        } catch {
            throw .unreadable(reason(error, path))
        }
    }

    private nonisolated func reason(_ failure: EnclosedFile.Failure, _ path: String) -> String {
        switch failure {
        case .missing: "the file \(path) is missing from the archive"
        case .outside: "not opened, since it is outside the archive: \(path)"
        case .symbolicLink: "not opened, because a symbolic link leads to it: \(path)"
        case .irregular: "not opened, since it is not a regular file: \(path)"
        case .unreadable(let code): "not opened, \(String(cString: strerror(code))): \(path)"
        }
    }
}
