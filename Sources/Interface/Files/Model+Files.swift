import Messages

/// Files that the user opens.
extension Model {
    mutating func find(_ file: MessageFile) -> [Effect] {
        files.want(file)
        return [.findFile(file)]
    }

    mutating func take(_ news: FileNews, about file: MessageFile) -> [Effect] {
        switch news {
        case .coming(let received):
            // The status line says it from now on, and notices of other things stay.
            if files.note(received, of: file), notice?.text == opening(file) { notice = nil }
        case .here(let path):
            guard let wasFetched = files.end(file) else { return [] }
            if wasFetched { tell(opening(file)) }
            return [.openFile(path: path)]
        case .failed(let reason): if files.end(file) != nil { warn(reason) }
        }
        return []
    }

    private func opening(_ file: MessageFile) -> String { "opening \(file.attachment.name)" }
}
