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
}
