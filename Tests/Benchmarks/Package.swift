// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that building Kedge builds no benchmarks. Kedge has no libraries to import, so this compiles
// the same rooms once more, through a link to their folder.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let algorithms: Target.Dependency = .product(name: "Algorithms", package: "swift-algorithms")
let collections: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// A room of Kedge, as in its own Package.swift.
func room(_ name: String, _ below: Target.Dependency...) -> Target {
    .target(name: name, dependencies: below, path: "Rooms/" + name, swiftSettings: strict)
}

/// A room in C or C++, and the libraries that it uses.
func room(_ name: String, linking libraries: [String]) -> Target {
    .target(name: name, path: "Rooms/" + name, linkerSettings: libraries.map { .linkedLibrary($0) })
}

let package = Package(
    name: "kedge-benchmarks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/google/swift-benchmark", from: "0.1.2"),
    ],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Interface", "Timeline", "Archive", "Formats", "MatrixHelper", "Matrix", "Display", "Messages", "Dates",
                logging,
                .product(name: "Benchmark", package: "swift-benchmark"),
            ],
            path: "Sources",
            swiftSettings: strict
        ),
        .executableTarget(name: "Race", dependencies: ["FirstBytes"], path: "Race", swiftSettings: strict),
        .target(name: "FirstBytes", path: "FirstBytes"),
        room("Interface", "Timeline", "Markup", "Display", "Messages", "Search", "Emoji", algorithms),
        room(
            "Archive", "Messages", "Search", "Words", "Locks", "SQLite", "Threads", "CSimdjson", "CLogScan", "CMapping",
            "CMemory", algorithms, logging),
        room("Formats", "Markup", "Dates", "Emoji", "CSimdjson", algorithms),
        room(
            "MatrixHelper", "Matrix", "Relay", "Formats", "Messages", "Settings", "Locks", "Threads", "CCurl", "CMirror"
        ),
        room("Matrix", "Formats"),
        room("Relay", "Messages", "Formats"),
        room("Settings", "Display", "Messages", "Locks", "CToml", "CSimdjson"),
        room("Words", "Search", algorithms),
        room("Timeline", algorithms, collections),
        room("Markup", "Display", "Search", algorithms),
        room("Display", "CWidth"),
        room("Messages", "Search", "Dates"),
        room("Search", "CUnicode", "CRegex"),
        room("Dates"),
        room("Emoji"),
        room("CLogScan", linking: []),
        room("CWidth", linking: []),
        room("CMapping", linking: []),
        room("CMemory", linking: []),
        room("SQLite", "CSQLite"),
        room("Locks"),
        room("Threads"),
        room("CSQLite", linking: ["sqlite3"]),
        room("CUnicode", linking: ["utf8proc"]),
        room("CSimdjson", linking: ["simdjson"]),
        room("CCurl", linking: ["curl"]),
        room("CRegex", linking: ["re2"]),
        room("CMirror", linking: []),
        room("CToml", linking: []),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)
