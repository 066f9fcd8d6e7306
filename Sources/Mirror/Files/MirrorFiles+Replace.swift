internal import Messages

extension MirrorFiles {
    /// Replaces a file as a whole: readers see the old one or the new one.
    static func replace(_ path: String, by text: String) throws(StoreError) {
        let temporary = path + ".new"
        do {
            var file = try UnnamedFile(temporary)
            try file.append(Array(text.utf8))
            try file.finish(as: path)
        }
    }
}
