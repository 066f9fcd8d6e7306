// Prints which file of a module uses types, functions and properties of which other file, and the circles among them: make graph
//     index store of the last build ─> IndexStore: what each file declares and uses ─> edges ─> Graph: circles of files
// It ends with status 1 when files are in circles.

import Foundation

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("graph: \(reason)\n".utf8))
    exit(2)
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let path = arguments.first else {
    fail("usage: graph INDEX-STORE FOLDER-OF-A-MODULE...")
}
guard let store = try? IndexStore(path: path) else { fail("\(path): no index store; build with: make graph") }
let records = store.records()
var inCircles = 0
for folder in arguments.dropFirst() {
    let root = URL(fileURLWithPath: folder).path
    let files = (FileManager.default.subpaths(atPath: root) ?? []).filter { $0.hasSuffix(".swift") }.sorted()
    let occurrences = files.map { file in (records[root + "/" + file] ?? []).flatMap(store.occurrences) }
    for (file, found) in zip(files, occurrences) where found.isEmpty {
        fail("\(folder)/\(file) is not in the index; build first")
    }
    // What two files declare is a name that the compiler shares, such as that of a module.
    var declaring: [String: Set<Int>] = [:]
    for (file, found) in occurrences.enumerated() {
        for occurrence in found where occurrence.isDeclaration {
            declaring[occurrence.symbol, default: []].insert(file)
        }
    }
    var graph = Graph(count: files.count)
    for (file, found) in occurrences.enumerated() {
        for occurrence in found where !occurrence.isDeclaration {
            guard let others = declaring[occurrence.symbol], others.count == 1, let other = others.first else {
                continue
            }
            graph.add(from: file, to: other, names: [occurrence.name])
        }
    }
    for circle in graph.circles {
        print("\(folder): a circle of \(circle.count) files:")
        let within = graph.within(circle)
        for file in circle {
            let uses = within.edges[file].sorted { files[$0.key] < files[$1.key] }.map { other, names in
                "\(files[other]) (\(names.sorted().prefix(6).joined(separator: ", ")))"
            }
            print("  \(files[file]) → \(uses.joined(separator: ", "))")
        }
    }
    inCircles += graph.circles.joined().count
    let sizes = graph.circles.map { String($0.count) }.joined(separator: ", ")
    print(
        "\(folder): \(files.count) files, \(graph.count) edges, \(graph.circles.count) circles of files"
            + (sizes.isEmpty ? "" : " (\(sizes))"))
}
print("\(inCircles) files in circles")
exit(inCircles > 0 ? 1 : 0)
