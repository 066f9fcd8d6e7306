import Foundation
import Interface
import TestSupport
import Testing

@testable import kedge

/// The user's own editor, here small scripts.
@Suite(.serialized)
final class TextEditorTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-editor-\(UUID().uuidString)")
        .path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A shell reads the script: while other tests start programs, a file that was just written cannot always be executed.
    private func editor(_ script: String, variable: String = "EDITOR") -> TextEditor {
        let path = folder + "/editor"
        _ = FileManager.default.createFile(atPath: path, contents: Data("\(script)\n".utf8))
        return TextEditor(environment: [variable: "sh " + path, "PATH": "/usr/bin:/bin"], folders: [folder])
    }

    private var left: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix("kedge-draft") }
    }

    @Test func `The text of the file comes back, the file was private, and it is removed`() {
        let result = editor("stat -c %a \"$1\" >> \"$1\"").edit("one ü")
        #expect(result == .success("one ü\n600\n"))
        #expect(left.isEmpty)
    }

    @Test func `An editor may put another file in the place of the first one`() {
        #expect(editor("echo new > \"$1.tmp\"; mv \"$1.tmp\" \"$1\"").edit("old") == .success("new\n"))
        #expect(left.isEmpty)
    }

    @Test(arguments: [
        ("exit 3", "sh failed with status 3"), ("kill -9 $$", "sh was ended by signal 9"),
        ("rm \"$1\"", "the text of the editor cannot be read"),
        ("ln -sf /etc/passwd \"$1\"", "the text of the editor cannot be read"),
        ("printf '\\377' > \"$1\"", "the text of the editor cannot be read"),
    ])
    func `A failure is told, and no file stays`(script: String, reason: String) {
        #expect(editor(script).edit("old") == .failure(EffectError(reason)))
        #expect(left.isEmpty)
    }

    @Test func `VISUAL goes first, with its arguments; a missing editor is named`() {
        let path = folder + "/visual"
        _ = FileManager.default.createFile(atPath: path, contents: Data("echo \"$1\" > \"$2\"\n".utf8))
        let both = ["VISUAL": "sh \(path) --wait", "EDITOR": "false", "PATH": "/usr/bin:/bin"]
        #expect(TextEditor(environment: both, folders: [folder]).edit("") == .success("--wait\n"))
        let missing = TextEditor(environment: ["EDITOR": "/no/editor"], folders: [folder]).edit("")
        #expect(missing == .failure(EffectError("there is no /no/editor; set EDITOR")))
        let nowhere = TextEditor(environment: [:], folders: ["/no/folder"]).edit("")
        #expect(nowhere == .failure(EffectError("cannot create a temporary file for the editor")))
    }
}
