extension Source {
    /// The files of a folder with one of these endings, in any case; the file of a source that is one file, whatever its name.
    /// Contents decide then: an ending only saves reading thousands of pictures.
    func candidates(_ endings: String...) -> LazyFilterSequence<[SourceFile]> {
        files.lazy.filter { file in
            isFile || !file.name.hasPrefix("._") && endings.contains { file.hasEnding($0) }
        }
    }
}

extension SourceFile {
    fileprivate func hasEnding(_ ending: String) -> Bool {
        let end = path.utf8.suffix(ending.utf8.count)
        return end.count == ending.utf8.count && zip(end, ending.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
}
