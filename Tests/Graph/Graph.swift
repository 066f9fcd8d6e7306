/// Tarjan's algorithm: one walk along the edges, in which each node remembers the earliest node on the path that it can
/// reach.
struct CircleSearch {
    private let edges: [[Int]]
    private var numbers: [Int?]
    private var earliest: [Int]
    private var path: [Int] = []
    private var isOnPath: [Bool]
    private var count = 0
    private var components: [[Int]] = []

    init(edges: [[Int]]) {
        self.edges = edges
        numbers = Array(repeating: nil, count: edges.count)
        earliest = Array(repeating: 0, count: edges.count)
        isOnPath = Array(repeating: false, count: edges.count)
    }

    mutating func run() -> [[Int]] {
        for node in edges.indices where numbers[node] == nil { _ = visit(node) }
        return components
    }

    /// - Returns: the number of the node.
    private mutating func visit(_ node: Int) -> Int {
        let number = count
        count += 1
        numbers[node] = number
        earliest[node] = number
        path.append(node)
        isOnPath[node] = true
        for other in edges[node] {
            if let known = numbers[other] {
                if isOnPath[other] { earliest[node] = min(earliest[node], known) }
            } else {
                _ = visit(other)
                earliest[node] = min(earliest[node], earliest[other])
            }
        }
        if earliest[node] == number {
            let start = path.lastIndex(of: node) ?? path.startIndex
            components.append(Array(path[start...]))
            for member in path[start...] { isOnPath[member] = false }
            path.removeSubrange(start...)
        }
        return number
    }
}
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
