internal import Formats

import Glibc

/// What stands in the place that an import is to write to.
package enum ImportTarget: Equatable, Sendable {
    /// No archive. The folder may exist.
    case new
    /// An archive, and the path of the export that it was made of; nil for one that was not made by an import.
    case archive(source: String?)
    /// The archive of an account, which its server alone fills.
    case account

    package init(_ folder: String) {
        let label = folder + "/archive.json"
        guard access(label, F_OK) == 0 else {
            self = .new
            return
        }
        let tree = JSONTree()
        self = Array((MirrorFiles.text(label) ?? "").utf8).withUnsafeBytes { bytes in
            guard let fields = tree.parse(bytes) else { return .archive(source: nil) }
            if fields["server"]?.string != nil { return .account }
            return .archive(source: fields["source"]?.string)
        }
    }

    /// The label of an archive that is made of an export.
    /// - Parameter label: that of the mirror, an object with fields.
    static func label(_ label: String, source: String) -> String {
        guard let end = label.lastIndex(of: "}") else { return label }
        return "\(label[..<end]),\"source\":\(JSONString.text(source))}\n"
    }
}
