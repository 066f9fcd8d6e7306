internal import Formats
internal import Matrix
internal import Relay

/// Files of messages.
extension Mirror {
    func fetch(fileOf event: String, in room: String, for asker: Asker) throws(RelayRefusal) {
        guard let file = archive.file(of: event, in: room) else { throw RelayRefusal("this message has no file") }
        guard !file.isEncrypted || server.encrypts else {
            throw RelayRefusal("\(file.name): is encrypted; only pantalaimon can decrypt it")
        }
        guard let address = MediaAddress(file.address ?? "") else {
            throw RelayRefusal("\(file.name): its address is not that of a file on a server")
        }
        guard file.size ?? 0 <= MatrixRequest.longestFile else {
            throw RelayRefusal("\(file.name): is larger than \(MatrixRequest.longestFile >> 20) MiB")
        }
        let path = address.path(name: file.name)
        if downloads.isHere(path) { return desk.respond(.fetched(file: path), to: asker) }
        do throws(DiskFailure) {
            try downloads.fetch(address, to: path, for: asker, server, noteOfFile)
        } catch {
            desk.respond(.failed(reason: error.description, retry: 30_000), to: asker)
        }
    }

    func fetched(_ path: String, _ result: Result<HTTPResponse, HTTPFailure>) {
        let end = downloads.take(path, result, server, noteOfFile)
        guard let (askers, response) = end else { return }
        for asker in askers { desk.respond(response, to: asker) }
    }

    /// Tells those who wait for a file how much of it has come.
    func moved(_ path: String, _ received: Int64) {
        for asker in downloads.askers(path) { desk.note(received, for: asker) }
    }

    private var noteOfFile: Downloads.Note {
        { [queue] path, news in
            switch news {
            case .moved(let received): queue.send(.moved(path, received))
            case .ended(let result): queue.send(.fetched(path, result))
            }
        }
    }
}
