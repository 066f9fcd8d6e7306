import Foundation

/// A folder that is removed with this object.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/kedge-matrix-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func text(_ file: String) -> String {
        (try? String(contentsOfFile: path + "/" + file, encoding: .utf8)) ?? ""
    }

    func write(_ text: String, to file: String) throws {
        try text.write(toFile: path + "/" + file, atomically: false, encoding: .utf8)
    }

    /// - Returns: whether there was such a file.
    func remove(_ file: String) -> Bool {
        (try? FileManager.default.removeItem(atPath: path + "/" + file)) != nil
    }

    func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
    }
}
