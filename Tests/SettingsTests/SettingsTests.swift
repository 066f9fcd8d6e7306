import Testing

@testable import Settings

struct SettingsTests {
    @Test(arguments: [
        (["XDG_STATE_HOME": "/state", "HOME": "/home/ana"], "/state/kedge"),
        (["XDG_STATE_HOME": "relative", "HOME": "/home/ana"], "/home/ana/.local/state/kedge"),
        (["HOME": "/home/ana"], "/home/ana/.local/state/kedge"), ([:], "/tmp/.local/state/kedge"),
    ])
    func `Folders follow the XDG specification`(environment: [String: String], state: String) {
        #expect(Folders(environment: environment).state == state)
    }

    @Test(
        arguments: [
            ("/named", ["KEDGE_ARCHIVE": "/variable"], true, "/named"),
            (nil, ["KEDGE_ARCHIVE": "/variable"], true, "/variable"),
            (nil, ["KEDGE_ARCHIVE": ""], true, "."), (nil, [:], true, "."), (nil, [:], false, nil),
        ] as [(String?, [String: String], Bool, String?)])
    func `The archive is the one named, else the variable's, else the current folder`(
        option: String?, environment: [String: String], isHere: Bool, expected: String?
    ) {
        let path = ArchiveLocation.resolve(option: option, environment: environment) { $0 == "." && isHere }
        #expect(path == expected)
    }
}
