import Display
import Testing

@testable import Interface

struct WelcomeTests {
    @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60), Size(columns: 60, rows: 20)])
    func `The first screen says how to open chats, and what the keys do`(size: Size) {
        let text = Welcome(hasDemo: true).frame(size).text
        for part in ["No archive found here.", "d  open the demo", "q  quit", "kedge ~/irclogs", "kedge init ~/chats"] {
            #expect(text.contains(part), "\(part)\n\(text)")
        }
    }

    @Test func `On a small screen the keys come before the commands`() {
        let text = Welcome(hasDemo: true).frame(Size(columns: 40, rows: 10)).text
        #expect(text.contains("d  open the demo"), "\(text)")
        #expect(text.contains("kedge ~/irclogs"), "\(text)")
        #expect(!text.contains("No archive found"), "\(text)")
    }

    @Test func `Without a demo no key opens it`() {
        let welcome = Welcome(hasDemo: false)
        #expect(!welcome.frame(Size(columns: 80, rows: 24)).text.contains("demo"))
        #expect(welcome.choice(for: .key(.character("d"))) == nil)
        #expect(welcome.choice(for: .key(.escape)) == .quit)
        #expect(welcome.choice(for: .key(.control("c"))) == .interrupt)
        #expect(welcome.choice(for: .paste("d")) == nil)
        #expect(Welcome(hasDemo: true).choice(for: .key(.character("d"))) == .demo)
    }
}
