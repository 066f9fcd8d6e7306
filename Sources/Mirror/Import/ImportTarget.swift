internal import Formats
import Messages

import Glibc

/// The state of the folder that an import is to write to.
package enum ImportTarget: Equatable, Sendable {
    /// No archive. The folder may exist.
    case new
    /// An archive, the path of the export that it was made of, nil for one that was not made by an import, and the ID of the
    /// person who reads and writes in it.
    case archive(source: String?, me: String?)
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
            guard let fields = tree.parse(bytes) else { return .archive(source: nil, me: nil) }
            if fields["server"]?.string != nil { return .account }
            return .archive(source: fields["source"]?.string, me: fields["me"]?.string)
        }
    }

    /// The label of an archive that is made of an export.
    /// - Parameters:
    ///   - label: that of the mirror, an object with fields.
    ///   - me: who the reader is; nil for the person of the label, if it names one.
    static func label(_ label: String, source: String, me: PersonID?) -> String {
        var label = label
        let tree = JSONTree()
        let known = Array(label.utf8).withUnsafeBytes { tree.parse($0)?["me"]?.string }
        if let me, let known, let field = label.firstRange(of: "\"me\":\(JSONString.text(known))") {
            label.replaceSubrange(field, with: "\"me\":\(JSONString.text(me.rawValue))")
        }
        guard let end = label.lastIndex(of: "}") else { return label }
        let added = known == nil ? me.map { ",\"me\":\(JSONString.text($0.rawValue))" } ?? "" : ""
        return "\(label[..<end])\(added),\"source\":\(JSONString.text(source))}\n"
    }
}
