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
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
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
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/google/swift-benchmark", from: "0.1.2"),
    ],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Interface", "Timeline", "Archive", "Formats", "JSON", "MatrixHelper", "Helper", "Matrix", "Display",
                "Messages", "Dates",
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
            "Archive", "ArchiveFormat", "Messages", "Search", "Index", "Words", "Files", "Threads", "JSON", "CLogScan",
            "CMemory", algorithms, logging),
        module("Formats", "Markup", "Dates", "Emoji", "Files", "JSON", "CCharset", algorithms),
        module(
            "MatrixHelper", "Helper", "Matrix", "Relay", "ArchiveFormat", "Formats", "Messages", "Settings", "Files",
            "JSON", "Threads", "CCurl"),
        module("Matrix", "Relay", "ArchiveFormat", "Formats", "Messages", "JSON"),
        module(
            "Helper", "Relay", "ArchiveFormat", "Formats", "Messages", "Settings", "Files", "JSON", "Threads", "CMirror"
        ),
        module("Relay", "Messages", "JSON"),
        module("Settings", "Display", "Messages", "Search", "Dates", "Files", "JSON", "CToml"),
        module("Index", "Files", "CMapping"),
        module("Words", "Search", "Files", "Threads", algorithms),
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
        module("ArchiveFormat", "JSON"),
        module("JSON", "CSimdjson"),
        module("Files", system),
        module("Threads"),
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
