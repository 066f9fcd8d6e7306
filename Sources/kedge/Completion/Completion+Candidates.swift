import Archive
import ArgumentParser
import Display
import Messages
import Mirror
import Settings

import Glibc

extension Completion {
    /// The newest messages of a conversation.
    private static let mostLinks = 50

    /// Lines for the shell. What cannot be read gives none: there is no place to tell it.
    var lines: [String] { wishes.flatMap { (try? candidates(for: $0)) ?? [] }.map(Output.harmlessFields) }

    /// Lines for the shell: a word that begins like that on the line, a tab, and a description.
    private func candidates(for wish: Wish) throws -> [String] {
        switch wish {
        case .files: return [":files"]
        case .commands:
            return matching(commands.map { ($0.configuration.commandName ?? "", $0.configuration.abstract) })
        case .options(let name):
            guard let command = commands.first(where: { $0.configuration.commandName == name }) else {
                return []
            }
            return matching(
                CommandHelp(command).options.flatMap { option in
                    option.names.filter { $0.hasPrefix("--") }.map { ($0, option.help) }
                })
        case .words(let words): return matching(words.map { ($0, "") })
        case .archives: return matching(Config.ofUser.archives.keys.sorted().map { ($0, "") })
        case .conversations: return try conversations(before: "")
        case .beginningsOfLinks: return try conversations(before: "/")
        case .people:
            guard let store = try store() else { return [] }
            let people = try waiting { () async throws(StoreError) in try await store.knownPeople() }
            return matching(people.map { ($0.id.rawValue, $0.name) })
        case .links: return try links()
        }
    }

    private func conversations(before end: String) throws -> [String] {
        guard let store = try store() else { return [] }
        let all = try waiting { () async throws(StoreError) in try await store.conversations() }
        let namesakes = Namesakes(all)
        return matching(
            all.map { ($0.id.rawValue + end, $0.title == $0.id.rawValue ? $0.topic ?? "" : namesakes.title(of: $0)) })
    }

    private func links() throws -> [String] {
        guard let store = try store() else { return [] }
        let id = Link(word).conversation
        let request = PageRequest(conversation: id, position: .latest, limit: Completion.mostLinks)
        let page = try waiting { () async throws(StoreError) in try await store.page(request) }
        return matching(
            page.messages.reversed().map { message in
                let name = message.sender.map { $0.name.beginning(30) + ": " } ?? ""
                return ("\(id)/\(message.id)", "\(Zone.local.minute(message.at)) \(name)\(message.text.beginning(60))")
            })
    }

    private func matching(_ candidates: [(word: String, description: String)]) -> [String] {
        candidates.filter { $0.word.hasPrefix(word) && !$0.word.isEmpty }.map { candidate in
            let description = candidate.description.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            return description.isEmpty ? candidate.word : "\(candidate.word)\t\(description)"
        }
    }

    /// The archive, or the copy of an export in the cache. A completion never reads the export itself.
    private func store() throws -> JSONArchive? {
        let options = ArchiveOptions(path: archive, zone: nil)
        guard let path = try options.foundPath().map(ArchiveLocation.realPath) else { return nil }
        let index = try options.indexFolder()
        let folder = Export.isExport(path) ? index.path + "/mirror" : path
        guard access(folder + "/archive.json", R_OK) == 0 else { return nil }
        return try JSONArchive.open(path: folder, index: index, logger: Log.silent)
    }
}
