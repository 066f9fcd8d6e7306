package import Messages

/// The state that a person has left in an archive: drafts, bookmarks and muted conversations.
package enum ArchiveState {
    /// Deletes this state, since the archive begins again. May wait for the disk and for other processes.
    /// - Parameters:
    ///   - archive: the real path of the archive.
    ///   - folder: the state folder; nil without a home.
    /// - Returns: problems, one line each.
    package static func forget(archive: String, person: PersonID?, folder: String?) -> [String] {
        var problems: [String?] = []
        var drafts = Drafts(folder: folder, archive: archive, writer: person)
        let known = drafts.load().drafts
        if !known.isEmpty { problems.append(drafts.keep(known.mapValues { _ in Draft() })) }
        let bookmarks = Bookmarks(folder: folder, archive: archive, reader: person)
        problems += bookmarks.load().bookmarks.map { bookmarks.remove($0).problem }
        let muted = MutedConversations(folder: folder, archive: archive, reader: person)
        problems += muted.load().muted.map { muted.set($0, false).problem }
        return problems.compactMap(\.self)
    }
}
