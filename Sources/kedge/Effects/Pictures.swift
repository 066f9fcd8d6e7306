import Display
import Interface
import Messages
import Synchronization
import Terminal
import Threads

/// Makes a file's picture for a terminal.
struct PictureMaker: Sendable {
    private let chafa: Chafa

    init(chafa: Chafa = Chafa()) { self.chafa = chafa }

    /// The most pixels to send: more take long on a slow connection.
    private static let mostPixels = 1_000_000

    /// Blocks while it reads the file and runs chafa.
    /// - Parameters:
    ///   - path: a file inside the archive, as found by the store.
    ///   - room: the cells that the picture may cover.
    func picture(
        _ path: String, number: Int, room: Size, for support: PictureSupport
    ) throws(EffectError) -> Picture {
        switch support {
        case .none: throw EffectError("this terminal shows no pictures")
        case .kitty(let cell): try kitty(PictureFile(path), number, room, cell)
        case .sixel(let cell): try sixel(PictureFile(path), number, room, cell)
        }
    }

    private func kitty(
        _ file: PictureFile, _ number: Int, _ room: Size, _ cell: PixelSize
    ) throws(EffectError) -> Picture {
        let area = PictureMaker.area(room, cell)
        if let png = file.plainPNG {
            let size = file.format.size.fitted(into: area).cells(of: cell)
            return Picture(number: number, size: size, pixels: .png(png))
        }
        let wanted = PictureMaker.limited(area)
        let rows = try made(.kitty, of: file, into: wanted) { output in KittyRows(output).map { ($0, $0.size) } }
        // As large on the screen as it would be without the limit for its pixels.
        let scale = Double(area.width) / Double(wanted.width)
        let size = PixelSize(
            width: Int(Double(rows.size.width) * scale), height: Int(Double(rows.size.height) * scale)
        ).fitted(into: area)
        return Picture(
            number: number, size: size.cells(of: cell),
            pixels: .rgba(rows.rows, width: rows.size.width, height: rows.size.height))
    }

    private func sixel(
        _ file: PictureFile, _ number: Int, _ room: Size, _ cell: PixelSize
    ) throws(EffectError) -> Picture {
        let wanted = PictureMaker.limited(PictureMaker.area(room, cell))
        let body = try made(.sixels, of: file, into: wanted) { output in SixelBody(output).map { ($0, $0.size) } }
        return Picture(number: number, size: body.size.cells(of: cell), pixels: .sixel(body))
    }

    private static func area(_ room: Size, _ cell: PixelSize) -> PixelSize {
        PixelSize(width: room.columns * cell.width, height: room.rows * cell.height)
    }

    private static func limited(_ area: PixelSize) -> PixelSize {
        let pixels = area.width * area.height
        guard pixels > mostPixels else { return area }
        let scale = (Double(mostPixels) / Double(pixels)).squareRoot()
        return PixelSize(width: Int(Double(area.width) * scale), height: Int(Double(area.height) * scale))
    }

    /// The result of chafa, which must fit in an area. The size of chafa's cells depends on its version: when the
    /// result is too large, the size is computed from it, and chafa runs once more.
    private func made<Result>(
        _ form: Chafa.Form, of file: PictureFile, into area: PixelSize, read: ([UInt8]) -> (Result, PixelSize)?
    ) throws(EffectError) -> Result {
        // Nothing is made larger than it is. The sides may be exchanged, since chafa turns photographs as their camera says.
        let longest = max(file.format.size.width, file.format.size.height)
        let limit = PixelSize(width: min(area.width, longest), height: min(area.height, longest))
        var cell = 8
        for _ in 0..<2 {
            let cells = Size(columns: max(1, limit.width / cell), rows: max(1, limit.height / cell))
            guard let (result, size) = read(try chafa.output(form, of: file, cells: cells)) else { break }
            if size.width <= area.width, size.height <= area.height { return result }
            let (wide, high) = (size.width / cells.columns, size.height / cells.rows)
            cell = max(cell + 1, wide + 1, high + 1)
        }
        throw EffectError("chafa cannot make a picture that fits this terminal")
    }
}

/// A request for a picture.
struct PictureRequest: Sendable {
    /// Unique, so that it is the number of the picture too.
    let number: Int
    let file: MessageFile
    /// The cells that the picture may cover.
    let room: Size
}

/// Loads pictures on a thread of their own. Only the last one that was asked for is made.
final class PictureLoader: Sendable {
    private let store: any MessageReading
    private let mailbox: Mailbox
    private let maker = PictureMaker()
    private let thread = SerialThread()
    private let wanted = Mutex(0)

    init(store: any MessageReading, mailbox: Mailbox) { (self.store, self.mailbox) = (store, mailbox) }

    /// Does not wait. A reply brings the result.
    func load(_ request: PictureRequest, for support: PictureSupport) {
        wanted.withLock { $0 = request.number }
        Task.detached(executorPreference: WorkThread.tasks) { [self] in
            do throws(StoreError) {
                let path = try await store.location(of: request.file) { [mailbox] received in
                    mailbox.post(.reply(.picture(request.number), .file(.coming(received: received))))
                }
                thread.run { [self] in make(request, path, support) }
            } catch {
                mailbox.post(.reply(.picture(request.number), .file(.failed(error))))
            }
        }
    }

    private func make(_ request: PictureRequest, _ path: String, _ support: PictureSupport) {
        guard wanted.withLock({ $0 == request.number }) else { return }
        let result = Result { () throws(EffectError) in
            try maker.picture(path, number: request.number, room: request.room, for: support)
        }
        mailbox.post(.reply(.picture(request.number), .picture(result)))
    }
}
