import Foundation

/// WeeChat in a terminal, with one channel that has all messages as its backlog: these are the messages that it keeps
/// of a conversation. It reads them when it joins the channel, on a server that can do no more than that.
final class WeeChat {
    let session: Session
    private let server: ChatServer
    private let folder: String

    init(_ bench: Bench) throws {
        server = try ChatServer()
        folder = bench.home + "/weechat"
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder + "/logs", withIntermediateDirectories: true)
        // It appends to its log, so it gets a copy.
        try FileManager.default.copyItem(
            atPath: bench.corpus.chat, toPath: folder + "/logs/irc.race.#general.weechatlog")
        let commands = [
            "/set weechat.history.max_buffer_lines_number 0", "/set weechat.history.max_buffer_lines_minutes 0",
            "/set irc.look.buffer_open_before_autojoin off", "/set logger.look.backlog \(bench.corpus.count)",
            "/server add race 127.0.0.1/\(server.port) -nossl -nicks=race -autojoin=#general", "/connect race",
        ]
        let arguments = ["weechat-curses", "-d", folder, "-P", "irc,logger,charset,buflist"]
        session = try Session(Command(arguments + commands.flatMap { ["-r", $0] }, bench.environment()))
    }

    deinit {
        session.end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// - Returns: the seconds from the response to its JOIN until the backlog is on the screen.
    func load() throws -> Double {
        let end = try session.wait(for: "end of the backlog", within: 120) { $0.contains("End of backlog") }
        guard let start = server.joined else { throw Failure("WeeChat has not joined the channel") }
        return end - start
    }

    /// - Returns: the seconds of a search, with all letters typed at once.
    func find(_ word: String) throws -> Double {
        try session.settle(quiet: 0.1)
        let start = Stopwatch.now
        try session.type("\u{12}" + word)
        let end = try session.wait(for: "message that is searched", within: 120) { screen in
            screen.contains(word, in: 1..<Session.rows - 2)
        }
        return end - start
    }
}
