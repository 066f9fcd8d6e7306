/// The facts about the export that the converter of one feed needs.
struct SlackSetting {
    /// Where an export keeps the copies of files.
    enum Storage: String {
        case none = "-"
        /// `__uploads/F1/name`
        case uploads = "u"
        /// `channel/attachments/F1-name`
        case attachments = "a"
        /// `C1/F1-name`, beside the dump `C1.json`
        case dump = "d"
    }

    var storage: Storage
    /// The folder that holds `__uploads`, or the folders of files of the conversation; with "/" at its end unless it is empty.
    var folder: String

    var text: String { storage.rawValue + folder }

    init(storage: Storage, folder: String) {
        (self.storage, self.folder) = (storage, folder)
    }

    init(_ text: String) {
        storage = Storage(rawValue: String(text.prefix(1))) ?? .none
        folder = String(text.dropFirst())
    }

    /// The path of the copy of a file; nil if the export keeps none.
    func path(id: String, name: String) -> String? {
        guard storage != .none, !id.isEmpty,
            id.utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }),
            id != ".", id != ".."
        else { return nil }
        let name = SlackSetting.safe(name)
        return storage == .uploads ? folder + id + "/" + name : folder + id + "-" + name
    }

    /// The name that slackdump gives a file, so that it suits every system.
    static func safe(_ name: String) -> String {
        var safe = String(name.map { "<>:\"/\\|?*".contains($0) ? "_" : $0 })
        while safe.last == " " || safe.last == "." { safe.removeLast() }
        let base = safe.prefix { $0 != "." }.uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(base)
            || base.count == 4 && (base.hasPrefix("COM") || base.hasPrefix("LPT"))
                && ("1"..."9").contains(base.suffix(1))
        {
            safe = "_" + safe
        }
        return safe.isEmpty ? "unnamed_file" : safe
    }
}
