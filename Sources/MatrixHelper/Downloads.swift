internal import Formats
internal import Glibc
internal import Matrix
internal import Relay

/// Fetches the files of messages into the archive, each once at a time.
///
///     a request → matrix/parts/N → files/SERVER/MEDIA.ENDING → responses to all who asked for it
final class Downloads {
    /// An event of a download; files are named by their paths in the archive.
    enum News: Sendable {
        /// The number of bytes that have come.
        case moved(Int64)
        case ended(Result<HTTPResponse, HTTPFailure>)
    }

    typealias Note = @Sendable (String, News) -> Void

    private struct Work {
        let address: MediaAddress
        let file: DownloadFile
        /// Whether the server was asked by the request that old servers know.
        var isOld: Bool
        var request = 0
        var askers: [Asker]
    }

    private let archive: String
    /// By the paths of the files in the archive.
    private var works: [String: Work] = [:]
    private var number = 0
    private var parts: String { archive + "/matrix/parts" }

    /// - Parameter archive: its path. What a killed process has left there is removed.
    init(archive: String) throws(DiskFailure) {
        self.archive = archive
        for name in try DiskFile.names(in: parts) { unlink("\(parts)/\(name)") }
    }

    func isHere(_ path: String) -> Bool {
        var status = stat()
        return lstat("\(archive)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Begins to fetch a file, unless it is on its way.
    /// - Parameters:
    ///   - path: where it is to be in the archive.
    ///   - note: receives what `take` and `askers` need.
    func fetch(
        _ address: MediaAddress, to path: String, for asker: Asker, _ server: Server,
        _ note: @escaping Note
    ) throws(DiskFailure) {
        guard works[path] == nil else {
            works[path]?.askers.append(asker)
            return
        }
        try DiskFile.makeFolder(parts)
        number += 1
        let file = try DownloadFile("\(parts)/\(number)")
        // pantalaimon decrypts what this request asks for.
        works[path] = Work(address: address, file: file, isOld: server.encrypts, askers: [asker])
        start(path, server, note)
    }

    private func start(
        _ path: String, _ server: Server,
        _ note: @escaping Note
    ) {
        guard let work = works[path] else { return }
        let request = work.isOld ? MatrixRequest.oldMedia(work.address) : .media(work.address)
        let file = work.file
        works[path]?.request = server.start(
            request, file: file.descriptor, progress: { note(path, .moved($0)) },
            { result in
                // The file is open until here.
                withExtendedLifetime(file) { note(path, .ended(result)) }
            })
    }

    /// Those who wait for a file.
    func askers(_ path: String) -> [Asker] { works[path]?.askers ?? [] }

    /// Takes the response to the request for a file.
    /// - Returns: the response to those who asked for it; nil if it is asked for once more.
    func take(
        _ path: String, _ result: Result<HTTPResponse, HTTPFailure>, _ server: Server,
        _ note: @escaping Note
    ) -> (askers: [Asker], response: RelayResponse)? {
        guard let work = works[path] else { return nil }
        if case .success(let response) = result, !work.isOld, response.error.isOfUnknownRequest {
            works[path]?.isOld = true
            work.file.clear()
            start(path, server, note)
            return nil
        }
        works[path] = nil
        let response = response(path, work, result)
        // The thread of the network may hold the file a moment longer, and those who asked are told that it has failed.
        work.file.remove()
        return (work.askers, response)
    }

    private func response(
        _ path: String, _ work: Work, _ result: Result<HTTPResponse, HTTPFailure>
    ) -> RelayResponse {
        switch result {
        case .success(let response) where response.status == 200:
            do throws(DiskFailure) {
                for folder in [archive + "/files", "\(archive)/files/\(work.address.server)"] {
                    try DiskFile.makeFolder(folder)
                }
                try work.file.put(at: "\(archive)/\(path)")
                return .fetched(file: path)
            } catch {
                return .failed(reason: error.description, retry: 30_000)
            }
        case .success(let response): return .failed(response.error)
        case .failure(let failure): return .failed(reason: failure.description, retry: failure.isFinal ? nil : 1_000)
        }
    }

    func cancel(_ server: Server) {
        for work in works.values { server.cancel(work.request) }
        works = [:]
    }
}

/// A file that is being written, and has no place yet. What is not put into its place is removed with this object.
final class DownloadFile: Sendable {
    let descriptor: CInt
    private let path: String

    /// - Parameter path: of a file that does not exist; one that a killed process has left is replaced.
    init(_ path: String) throws(DiskFailure) {
        unlink(path)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw DiskFailure(path, code: errno) }
        self.path = path
    }

    deinit {
        close(descriptor)
        remove()
    }

    /// Removes it, unless it has its place.
    func remove() { unlink(path) }

    /// Removes all that was written.
    func clear() {
        ftruncate(descriptor, 0)
        lseek(descriptor, 0, SEEK_SET)
    }

    /// Gives it a name under which it is there whole, also after a loss of power.
    func put(at place: String) throws(DiskFailure) {
        guard fsync(descriptor) == 0, rename(path, place) == 0 else { throw DiskFailure(place, code: errno) }
        try DiskFile.syncNames(of: DiskFile.folder(of: place))
    }
}
