internal import Files
internal import Formats
internal import Glibc
internal import Helper
internal import Matrix
internal import Relay

/// Fetches the files of messages into the archive, each once at a time.
///
///     a request → matrix/parts/N → files/SERVER/MEDIA.ENDING → responses to all who asked for it
final class Media {
    private struct Work {
        let address: MediaAddress
        let file: DownloadFile
        var promises: [Promise<String>]
    }

    private let context: SyncContext
    /// The downloads on their way, by the paths of the files in the archive.
    private var works: [String: Work] = [:]
    private var number = 0
    private var archive: String { context.archive.path }
    private var parts: String { archive + "/matrix/parts" }

    /// Removes what a killed process has left.
    init(_ context: SyncContext) throws(FileError) {
        self.context = context
        for name in try DiskFile.names(in: parts) { unlink("\(parts)/\(name)") }
    }

    func fetch(fileOf event: String, in room: String, for promise: Promise<String>) throws(RelayError) {
        guard let file = context.archive.log(ofKnown: room)?.file(of: event) else {
            throw RelayError("this message has no file")
        }
        guard !file.isEncrypted || context.server.encrypts else {
            throw RelayError("\(file.name): is encrypted; only pantalaimon can decrypt it")
        }
        guard let address = MediaAddress(file.address ?? "") else {
            throw RelayError("\(file.name): has an address that is not of a file on a Matrix server")
        }
        guard file.size ?? 0 <= MatrixRequest.longestFile else {
            throw RelayError("\(file.name): is larger than \(MatrixRequest.longestFile >> 20) MiB")
        }
        let path = address.path(name: file.name)
        if isHere(path) { return context.respond(path, to: promise) }
        guard works[path] == nil else {
            works[path]?.promises.append(promise)
            return
        }
        do throws(FileError) {
            try Disk.makeFolder(parts, isPrivate: false)
            number += 1
            works[path] = Work(address: address, file: try DownloadFile("\(parts)/\(number)"), promises: [promise])
        } catch {
            throw RelayError(error.description, retry: 30_000)
        }
        // pantalaimon decrypts the files of the old request.
        start(path, isOld: context.server.encrypts)
    }

    private func isHere(_ path: String) -> Bool {
        (try? Disk.existing("\(archive)/\(path)", follows: false))?.isFile == true
    }

    /// - Parameter isOld: true to use the request that old servers know.
    private func start(_ path: String, isOld: Bool) {
        guard let work = works[path] else { return }
        let request = isOld ? MatrixRequest.oldMedia(work.address) : .media(work.address)
        let progress = { [self] (received: Int64) in
            for promise in works[path]?.promises ?? [] { context.desk.note(received, for: promise.asker) }
        }
        context.start(request, into: work.file, progress: progress) { [self] response in
            if case .success(let response) = response, !isOld, response.error.isOfUnknownRequest {
                work.file.clear()
                return start(path, isOld: true)
            }
            let promises = works.removeValue(forKey: path)?.promises ?? []
            let result = end(path, work, response)
            // Removes a failed file before the clients hear of it: the thread of the network may hold it a moment longer.
            work.file.remove()
            for promise in promises { context.respond(result, to: promise) }
        }
    }

    private func end(_ path: String, _ work: Work, _ response: SyncContext.Response) -> Result<String, RelayError> {
        switch response {
        case .success(let response) where response.status == 200:
            do throws(FileError) {
                for folder in [archive + "/files", "\(archive)/files/\(work.address.server)"] {
                    try Disk.makeFolder(folder, isPrivate: false)
                }
                try work.file.put(at: "\(archive)/\(path)")
                return .success(path)
            } catch {
                return .failure(RelayError(error.description, retry: 30_000))
            }
        case .success(let response): return .failure(RelayError(response.error))
        case .failure(let failure):
            return .failure(RelayError(failure.description, retry: failure.isFinal ? nil : 1_000))
        }
    }
}
