// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that building Kedge builds no benchmarks. Kedge has no libraries to import, so this compiles
// the same modules once more, through a link to their folder.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let algorithms: Target.Dependency = .product(name: "Algorithms", package: "swift-algorithms")
let collections: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// A module of Kedge, as in its own Package.swift.
func module(_ name: String, _ below: Target.Dependency...) -> Target {
    .target(name: name, dependencies: below, path: "Modules/" + name, swiftSettings: strict)
}

/// A module in C or C++, and the libraries that it uses.
func shim(_ name: String, _ libraries: [String] = []) -> Target {
    .target(
        name: name, path: "Modules/" + name, publicHeadersPath: ".",
        linkerSettings: libraries.map { .linkedLibrary($0) })
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
        module("Interface", "Timeline", "Markup", "Display", "Messages", "Search", "Emoji", algorithms),
        module(
            "Archive", "Messages", "Search", "Words", "Locks", "SQLite", "Threads", "CSimdjson", "CLogScan", "CMapping",
            "CMemory", algorithms, logging),
        module("Formats", "Markup", "Dates", "Emoji", "CCharset", "CSimdjson", algorithms),
        module(
            "MatrixHelper", "Matrix", "Relay", "Formats", "Messages", "Settings", "Locks", "Threads", "CCurl", "CMirror"
        ),
        module("Matrix", "Formats"),
        module("Relay", "Messages", "Formats"),
        module("Settings", "Display", "Messages", "Search", "Dates", "Locks", "CToml", "CSimdjson"),
        module("Words", "Search", "Threads", algorithms),
        module("Timeline", algorithms, collections),
        module("Markup", "Display", "Search", algorithms),
        module("Display", "CWidth"),
        module("Messages", "Search", "Dates"),
        module("Search", "CUnicode", "CRegex"),
        module("Dates"),
        module("Emoji"),
        shim("CLogScan"),
        shim("CWidth"),
        shim("CMapping"),
        shim("CMemory"),
        module("SQLite", "CSQLite"),
        module("Locks"),
        module("Threads"),
        shim("CSQLite", ["sqlite3"]),
        shim("CUnicode", ["utf8proc"]),
        shim("CSimdjson", ["simdjson"]),
        shim("CCurl", ["curl"]),
        shim("CRegex", ["re2"]),
        shim("CMirror"),
        shim("CToml"),
        shim("CCharset"),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)
