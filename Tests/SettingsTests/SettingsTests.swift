import Testing

@testable import Settings

struct SettingsTests {
    @Test(arguments: [
        (["XDG_STATE_HOME": "/state", "HOME": "/home/ana"], "/state/kedge"),
        (["XDG_STATE_HOME": "relative", "HOME": "/home/ana"], "/home/ana/.local/state/kedge"),
        (["HOME": "/home/ana"], "/home/ana/.local/state/kedge"), ([:], "/home/account/.local/state/kedge"),
        (["HOME": ""], "/home/account/.local/state/kedge"), (["HOME": "ana"], "/home/account/.local/state/kedge"),
    ])
    func `Folders follow the XDG specification`(environment: [String: String], state: String) {
        #expect(Folders(environment: environment) { "/home/account" }.state == state)
    }

    @Test func `Without a home there are no folders, and none that other users share`() {
        let folders = Folders(environment: ["HOME": ""]) { nil }
        #expect([folders.config, folders.state, folders.cache, folders.runtime] == [nil, nil, nil, nil])
        let runtime = Folders(environment: ["XDG_RUNTIME_DIR": "/run/user/1"]) { nil }
        #expect([runtime.state, runtime.runtime] == [nil, "/run/user/1/kedge"])
    }

    @Test func `The config has a folder of its own`() {
        #expect(Folders(environment: ["XDG_CONFIG_HOME": "/config"]).config == "/config/kedge")
        #expect(Folders(environment: ["HOME": "/home/ana"]).config == "/home/ana/.config/kedge")
    }

    @Test(
        arguments: [
            ("/named", ["KEDGE_ARCHIVE": "/variable"], "/config", true, "/named"),
            (nil, ["KEDGE_ARCHIVE": "/variable"], "/config", true, "/variable"),
            (nil, ["KEDGE_ARCHIVE": ""], "/config", true, "/config"), (nil, [:], "/config", false, "/config"),
            (nil, ["KEDGE_ARCHIVE": ""], nil, true, "."), (nil, [:], nil, true, "."), (nil, [:], nil, false, nil),
        ] as [(String?, [String: String], String?, Bool, String?)])
    func `The archive is the one in the option, else the variable, else the config, else the current folder`(
        option: String?, environment: [String: String], configured: String?, isHere: Bool, expected: String?
    ) {
        var config = Config()
        config.archive = configured
        let path = ArchiveLocation.resolve(option: option, environment: environment, config: config) {
            $0 == "." && isHere
        }
        #expect(path == expected)
    }
}
