import Foundation

/// A folder of Swift files that see each other's types.
struct Room {
    let files: [SourceFile]
    let folderNames: [String]
    private let folderOfFile: [Int]
    /// For each name of a type, the files that declare it for others.
    private let declaring: [String: [Int]]

    init(folder: String) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
            .sorted()
        files = try paths.map { path in
            SourceFile(path: path, code: try String(contentsOfFile: folder + "/" + path, encoding: .utf8))
        }
        let folders = paths.map { path in
            path.contains("/") ? (path as NSString).deletingLastPathComponent : "its own folder"
        }
        let names = Set(folders).sorted()
        folderNames = names
        folderOfFile = folders.map { names.firstIndex(of: $0) ?? 0 }
        var declaring: [String: [Int]] = [:]
        for (index, file) in files.enumerated() {
            for type in file.types { declaring[type, default: []].append(index) }
        }
        self.declaring = declaring
    }

    var folderSizes: [(name: String, count: Int)] {
        folderNames.indices.map { folder in (folderNames[folder], folderOfFile.count { $0 == folder }) }
    }

    var graph: Graph {
        var graph = Graph(count: files.count)
        for (index, file) in files.enumerated() {
            for use in Set(file.uses) {
                for type in resolve(use, in: file) where !file.types.contains(type) && !file.privateTypes.contains(type)
                {
                    for other in declaring[type] ?? [] { graph.add(from: index, to: other, names: [type]) }
                }
            }
        }
        return graph
    }

    func folderGraph(of graph: Graph) -> Graph {
        var folders = Graph(count: folderNames.count)
        for (from, others) in graph.edges.enumerated() {
            for (to, names) in others { folders.add(from: folderOfFile[from], to: folderOfFile[to], names: names) }
        }
        return folders
    }

    /// A line for each file that uses others.
    func edgeLines(of graph: Graph) -> [String] {
        graph.edges.enumerated().compactMap { from, others in
            guard !others.isEmpty else { return nil }
            let uses = others.sorted { files[$0.key].path < files[$1.key].path }.map { other, names in
                "\(files[other].path) (\(names.sorted().joined(separator: ", ")))"
            }
            return "\(files[from].path) → \(uses.joined(separator: ", "))"
        }
    }

    /// The types that a name refers to: for `Page.Edge` both `Page` and `Page.Edge`. Empty when the room does not
    /// declare it.
    private func resolve(_ use: SourceFile.Use, in file: SourceFile) -> [String] {
        func isKnown(_ type: String) -> Bool {
            declaring[type] != nil || file.types.contains(type) || file.privateTypes.contains(type)
        }
        let isSelf = use.name[0] == "Self"
        let start =
            isSelf
            ? use.scope
            : stride(from: use.scope.count, through: 0, by: -1).lazy.map { use.scope.prefix($0) + use.name.prefix(1) }
                .first { isKnown($0.joined(separator: ".")) }.map(Array.init)
        guard var path = start else { return [] }
        var types = isSelf ? [] : [path.joined(separator: ".")]
        for name in use.name.dropFirst() {
            path.append(name)
            let type = path.joined(separator: ".")
            guard isKnown(type) else { break }
            types.append(type)
        }
        return types
    }
}
