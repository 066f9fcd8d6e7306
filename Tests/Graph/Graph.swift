/// Which nodes use which others, by their numbers, and by which names.
struct Graph {
    private(set) var edges: [[Int: Set<String>]]

    init(count: Int) { edges = Array(repeating: [:], count: count) }

    var count: Int { edges.map(\.count).reduce(0, +) }

    mutating func add(from: Int, to: Int, names: Set<String>) {
        guard from != to else { return }
        edges[from][to, default: []].formUnion(names)
    }

    /// The edges among these nodes.
    func within(_ nodes: [Int]) -> Graph {
        var graph = Graph(count: edges.count)
        for node in nodes {
            for (other, names) in edges[node] where nodes.contains(other) {
                graph.add(from: node, to: other, names: names)
            }
        }
        return graph
    }

    /// The largest sets of at least two nodes that can all reach each other, the largest set first: Tarjan's strongly
    /// connected components.
    var circles: [[Int]] {
        var search = CircleSearch(edges: edges.map { $0.keys.sorted() })
        return search.run().filter { $0.count > 1 }.map { $0.sorted() }.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
    }
}
