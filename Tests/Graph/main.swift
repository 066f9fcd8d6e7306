// Prints which file of a room uses types of which other file, and the circles among them. The Makefile compiles it:
// make graph
//     each file ─> Tokens (without comments and texts) ─> SourceFile: the types it declares, the names it uses
//     all files of a room ─> Room: each name looked up as Swift does it, from the inner types outward ─> edges
//       ─> Graph: circles of files
//
// It knows only types: a call of a method in an extension elsewhere is not an edge. It ends with status 1 when a folder
// holds too many files, or when there are too many circles.

import Foundation

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("import-graph: \(reason)\n".utf8))
    exit(2)
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let mostCircles = Int(arguments[1]), let mostFiles = Int(arguments[2]) else {
    fail("usage: import-graph MOST-CIRCLES MOST-FILES-OF-A-FOLDER FOLDER-OF-A-ROOM...")
}

var circles = 0
var hasLargeFolder = false
for folder in arguments.dropFirst(2) {
    do {
        let room = try Room(folder: folder)
        let graph = room.graph
        for line in room.edgeLines(of: graph) { print(line) }
        for circle in graph.circles {
            print("\(folder): a circle of \(circle.count) files:")
            for line in room.edgeLines(of: graph.within(circle)) { print("  " + line) }
        }
        for circle in room.folderGraph(of: graph).circles {
            print(
                "\(folder): folders that use each other: \(circle.map { room.folderNames[$0] }.joined(separator: ", "))"
            )
        }
        for (name, count) in room.folderSizes where count > mostFiles {
            print("\(folder): \(count) files in \(name), at most \(mostFiles)")
            hasLargeFolder = true
        }
        circles += graph.circles.count
        let sizes = graph.circles.map { String($0.count) }.joined(separator: ", ")
        print(
            "\(folder): \(room.files.count) files, \(graph.count) edges, \(graph.circles.count) circles of files"
                + (sizes.isEmpty ? "" : " (\(sizes))")
                + ", largest folder \(room.folderSizes.map(\.count).max() ?? 0) files")
    } catch {
        fail("\(folder) cannot be read: \(error.localizedDescription)")
    }
}
if circles > mostCircles { print("\(circles) circles of files, at most \(mostCircles)") }
exit(circles > mostCircles || hasLargeFolder ? 1 : 0)
