/// A file of a message.
package struct ForeignAttachment: Hashable, Sendable {
    package let name: String
    /// The path of its copy in the source; nil if the export has none.
    package let path: String?
    /// In bytes; nil if unknown.
    package let size: Int64?
    /// Where a server has it; nil if unknown.
    package let address: String?
    /// Whether the server has only an encrypted form of it.
    package let isEncrypted: Bool

    package init(
        name: String, path: String? = nil, size: Int64? = nil, address: String? = nil, isEncrypted: Bool = false
    ) {
        self.name = name
        self.path = path
        self.size = size
        self.address = address
        self.isEncrypted = isEncrypted
    }

    /// A file by its address on the web, or by its path from a folder of the source.
    /// - Parameter isEncoded: whether a path has percent signs as an address has.
    init(at address: String, in folder: Substring, isEncoded: Bool = false) {
        let isWeb = address.contains("://")
        let written = isWeb ? String(address.prefix { $0 != "?" }) : address
        let path = isWeb || isEncoded ? String(percentDecoding: written) : written
        self.init(
            name: path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? "file",
            path: isWeb ? nil : Source.inside(path, of: folder), address: isWeb ? address : nil)
    }
}
