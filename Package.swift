// swift-tools-version: 6.2
import PackageDescription

/// True for `make fuzz`. Only it compiles the modules so that a fuzzer sees what runs in them, and only it builds the
/// fuzzer, which no other linker could link.
let isFuzzing = Context.environment["KEDGE_FUZZ"] != nil

/// True for `make bench` and `make race`. Only they build the programs that measure, and the library for that.
let isMeasuring = Context.environment["KEDGE_BENCH"] != nil

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// Inner loops in C and C++ are optimised in debug builds too: the tests read archives of real size hundreds of times.
let optimized = ["-O2"] + (isFuzzing ? ["-fsanitize=fuzzer-no-link"] : [])

/// The modules are optimised in debug builds too, with all their assertions, and with these where a fuzzer tries them: the tests
/// compare millions of random cases and archives of real size with a plain reader, and use the whole program in terminals.
let tested: [SwiftSetting] =
    strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
    + (isFuzzing ? [.unsafeFlags(["-assert-config", "Debug"])] : [])

/// A module: a target of ours, and the modules below it that it may import.
func module(_ name: String, _ below: Target.Dependency...) -> Target {
    .target(name: name, dependencies: below, swiftSettings: tested)
}

/// A target in C or C++ between a library and Swift. Its header stands beside its source.
/// - Parameter libraries: those that the linker adds.
func shim(_ name: String, _ libraries: [String] = [], flags: [String] = []) -> Target {
    .target(
        name: name, publicHeadersPath: ".", cSettings: [.unsafeFlags(flags)], cxxSettings: [.unsafeFlags(flags)],
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// The tests of one module.
func tests(_ name: String, _ modules: Target.Dependency...) -> Target {
    .testTarget(name: name + "Tests", dependencies: modules + ["TestSupport"], swiftSettings: strict)
}

/// The program of `make fuzz`.
let fuzzer = Target.executableTarget(
    name: "kedge-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program", swiftSettings: strict,
    linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])

/// The programs of `make bench` and of `make race`.
let measuring: [Target] = [
    .executableTarget(
        name: "Benchmarks",
        dependencies: [
            "Interface", "Timeline", "Archive", "Formats", "JSON", "MatrixHelper", "Helper", "Matrix", "Display",
            "Messages", "Dates", "Files",
            logging,
            .product(name: "Benchmark", package: "swift-benchmark"),
        ],
        path: "Tests/Benchmarks/Sources", swiftSettings: strict),
    .executableTarget(
        name: "Race", dependencies: ["FirstBytes"], path: "Tests/Benchmarks/Race", swiftSettings: strict),
    .target(name: "FirstBytes", path: "Tests/Benchmarks/FirstBytes"),
]

let package = Package(
    name: "kedge",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ] + (isMeasuring ? [.package(url: "https://github.com/google/swift-benchmark", from: "0.1.2")] : []),
    targets: [
        .executableTarget(
            name: "kedge",
            dependencies: [
                "Interface", "Terminal", "Mirror", "Formats", "Archive", "ArchiveFormat", "Served", "Relay", "Settings",
                "Timeline", "Display", "Messages", "Search", "Threads", "Files", "JSON", "Usage", "CMemory",
                logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: [
                "Completion/Shells", "Packaging", "Manual/kedge.1", "Manual/kedge-query.7", "Manual/kedge-config.5",
                "Manual/kedge-archive.5", "Manual/kedge-json.5",
            ],
            swiftSettings: tested
        ),
        module("Interface", "Timeline", "Markup", "Display", "Messages", "Search", "Emoji"),
        module("Terminal", "Display", "CNcurses"),
        module(
            "Archive", "ArchiveFormat", "Messages", "Search", "Index", "Words", "Files", "Threads", "JSON", "CLogScan",
            "CMemory", logging),
        module(
            "Mirror", "Formats", "Archive", "ArchiveFormat", "Messages", "Dates", "Files", "JSON", "Threads",
            "CArchive", "CMirror", "CSQLite", logging),
        .executableTarget(
            name: "kedge-matrix",
            dependencies: [
                "MatrixHelper", "Helper", "Matrix", "Relay", "ArchiveFormat", "Settings", "Display", "Usage", "Files",
                "Threads",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["kedge-matrix.1"], swiftSettings: tested),
        module(
            "MatrixHelper", "Helper", "Matrix", "Relay", "ArchiveFormat", "Formats", "Messages", "Settings", "Files",
            "JSON", "Threads", "CCurl"),
        module("Matrix", "Relay", "ArchiveFormat", "Formats", "Messages", "JSON"),
        module(
            "Helper", "Relay", "ArchiveFormat", "Formats", "Messages", "Settings", "Files", "JSON", "Threads", "CMirror"
        ),
        module("Relay", "Messages", "JSON"),
        module("Served", "Relay", "Messages", "Search", "Threads"),
        module("Formats", "Markup", "Search", "Dates", "Emoji", "Files", "JSON", "CCharset"),
        module("Usage", "Messages", "Search", "CBuild"),
        module("Settings", "Display", "Messages", "Search", "Dates", "Files", "JSON", "CToml"),
        module("Timeline"),
        module("Index", "Files", "CMapping"),
        module("Words", "Index", "Search", "Threads"),
        module("Markup", "Display", "Search"),
        module("Display", "CWidth"),
        module("Messages", "Search", "Dates"),
        module("Search", "CUnicode", "CRegex"),
        module("Dates"),
        module("Emoji"),
        module("ArchiveFormat", "JSON"),
        module("JSON", "CSimdjson"),
        module("Files", system),
        module("Threads"),
        shim("CNcurses", ["ncursesw", "tinfo"]),
        shim("CWidth"),
        shim("CArchive"),
        shim("CCharset"),
        shim("CMirror"),
        shim("CCurl", ["curl"]),
        shim("CMapping"),
        shim("CMemory"),
        shim("CBuild"),
        shim("CSQLite", ["sqlite3"]),
        shim("CUnicode", ["utf8proc"], flags: optimized),
        shim("CSimdjson", ["simdjson"], flags: optimized),
        shim("CLogScan", flags: optimized),
        shim("CRegex", ["re2"], flags: optimized),
        shim("CToml", flags: optimized),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .target(
            name: "InterfaceSupport", dependencies: ["Interface", "Messages", "Search"], path: "Tests/InterfaceSupport",
            swiftSettings: strict),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Settings", "Formats", "Archive", "Interface", "Timeline", "Terminal", "Display", "Messages", "Search",
                "Dates", "Index", "JSON", "TestSupport", "InterfaceSupport",
                logging,
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: strict),
        tests(
            "Kedge", "kedge", "Interface", "Display", "Messages", "Usage",
            .product(name: "ArgumentParser", package: "swift-argument-parser")),
        tests(
            "Archive", "Archive", "ArchiveFormat", "Messages", "Search", "Index", "Words", "Files", "Threads", logging),
        tests("Formats", "Formats", "Dates", "Files", "JSON"),
        tests("JSON", "JSON"),
        tests("Matrix", "Matrix", "Helper", "Relay", "ArchiveFormat", "Formats", "Messages", "JSON"),
        tests("Helper", "Helper", "ArchiveFormat", "Files", "Formats", "JSON"),
        tests(
            "MatrixHelper", "MatrixHelper", "Helper", "Matrix", "Relay", "ArchiveFormat", "Messages", "Settings",
            "Files", "Threads"),
        tests("Relay", "Relay", "Messages"),
        tests("ArchiveFormat", "ArchiveFormat", "JSON"),
        tests("Served", "Served", "Relay", "Archive", "Messages", "Search", logging),
        tests("Mirror", "Mirror", "Files", "Formats", "Archive", "Messages", "Dates", "JSON", "CSQLite"),
        .testTarget(name: "FilesTests", dependencies: ["Files"], swiftSettings: strict),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: strict),
        tests("Messages", "Messages", "Search"),
        tests("Search", "Search"),
        tests("Dates", "Dates"),
        tests("Emoji", "Emoji"),
        .testTarget(
            name: "WordsTests", dependencies: ["Words", "Index", "Search", "TestSupport"], swiftSettings: tested),
        .testTarget(name: "IndexTests", dependencies: ["Index", "TestSupport"], swiftSettings: tested),
        tests("Settings", "Settings", "Display", "Messages", "Files"),
        tests("Markup", "Markup", "Display", "Search"),
        tests("Display", "Display"),
        tests("Terminal", "Terminal", "Display", "CNcurses"),
        .testTarget(name: "TimelineTests", dependencies: ["Timeline", "TestSupport"], swiftSettings: tested),
        tests(
            "Interface", "InterfaceSupport", "Interface", "Timeline", "Markup", "Display", "Messages", "Search", "Emoji"
        ),
        tests("Fuzz", "FuzzTargets"),
    ] + (isFuzzing ? [fuzzer] : []) + (isMeasuring ? measuring : []),
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx20
)
