import Display
import Foundation
import Interface
import Terminal
import Testing

@testable import kedge

/// Picture files, good and hostile, with a program that stands in for chafa.
@Suite(.timeLimit(.minutes(30)))
struct PictureFileTests {
    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13) + Array("IHDR".utf8) + big(width)
            + big(height)
            + [8, 2, 0, 0, 0] + big(0) + big(0) + Array("IEND".utf8) + big(0)
    }

    private static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        let size = [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) }
        return [0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x06, 0xFF, 0xC0, 0x00, 0x01, 0xFF, 0xFF, 0xC2, 0x00, 0x0B, 8] + size
    }

    @Test func `The size of a picture is in its first bytes`() {
        func size(_ head: [UInt8]) -> [Int]? { PictureFormat(head).map { [$0.size.width, $0.size.height] } }
        #expect(size(Self.png(1_200, 800)) == [1_200, 800])
        #expect(size(Self.jpeg(640, 300)) == [640, 300], "the marker within the first segment is not one")
        #expect(size(Array("GIF89a".utf8) + [0x2C, 0x01, 0x64, 0x00]) == [300, 100])
        let webp = Array("RIFF....WEBP".utf8)
        #expect(size(webp + Array("VP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0x2B, 0x01, 0, 0x63, 0, 0]) == [300, 100])
        #expect(size(webp + Array("VP8L".utf8) + [0, 0, 0, 0, 0x2F, 0x2B, 0xC1, 0x18, 0]) == [300, 100])
        #expect(
            size(webp + Array("VP8 ".utf8) + [0, 0, 0, 0, 0, 0, 0, 0x9D, 1, 0x2A, 0x2C, 1, 0x64, 0]) == [300, 100])
    }

    @Test func `Cut headers, other files and empty pictures are no pictures`() {
        for whole in [Self.png(10, 10).prefix(24), Self.jpeg(10, 10)[...]] {
            for count in 0..<whole.count { #expect(PictureFormat(Array(whole.prefix(count))) == nil) }
        }
        for head in [
            Self.png(0, 5), Array("<svg width='1'>".utf8), Array("GIF89a".utf8), [0xFF, 0xD8, 0xFF, 0xE1, 0, 0],
        ] {
            #expect(PictureFormat(head) == nil)
        }
    }

    private static let kitty = PictureSupport.kitty(cell: PixelSize(width: 10, height: 20))
    private static let sixel = PictureSupport.sixel(cell: PixelSize(width: 10, height: 20))

    /// The picture of a file, or the reason why there is none.
    private func made(
        _ file: [UInt8], _ support: PictureSupport, chafa script: String = "exit 1", limit: Duration = .seconds(30)
    ) throws -> (picture: Picture?, reason: String) {
        let fake = try Fake(script)
        let path = fake.folder.appending(path: "file").path
        try Data(file).write(to: URL(fileURLWithPath: path))
        let chafa = Chafa(program: fake.path, environment: Program.environment, limit: limit)
        do {
            let room = Size(columns: 40, rows: 10)
            return (try PictureMaker(chafa: chafa).picture(path, number: 3, room: room, for: support), "")
        } catch {
            return (nil, error.reason)
        }
    }

    @Test func `Kitty gets a small PNG as it is, in cells of its shape`() throws {
        let file = Self.png(800, 100)
        let picture = try #require(try made(file, Self.kitty).picture)
        guard case .png(file) = picture.pixels else { return #expect(Bool(false), "not the file") }
        #expect(picture.size == Size(columns: 40, rows: 3) && picture.number == 3)
        #expect(try made(Self.png(800, 100).dropLast(4), Self.kitty).reason.contains("damaged"), "cut off")
    }

    @Test func `Sixels are made within the room, a second time if the cells of chafa are larger`() throws {
        let ask = #"printf '\033P0;1;0q"1;1;%d;%d#0~\033\\' $((${12%x*} * 20)) $((${12#*x} * 20))"#
        let picture = try #require(try made(Self.jpeg(4_000, 3_000), Self.sixel, chafa: ask).picture)
        #expect(picture.size.columns <= 40 && picture.size.rows <= 10 && picture.size.columns > 30)
        #expect(try made(Self.jpeg(9, 9), .none).reason.contains("shows no pictures"))
    }

    @Test(arguments: [
        (#"printf '\033]0;title\007'"#, "cannot make a picture"), ("exit 2", "damaged"), ("exec sleep 60", "too much"),
        ("while :; do echo zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz; done", "too much"), ("true", "damaged"),
        (#"printf '\033P0;1;0q"1;1;9000;9000~\033\\'"#, "cannot make a picture"),
    ])
    func `Whatever chafa prints, only checked pictures pass`(script: String, reason: String) throws {
        let limit: Duration = script.contains("sleep") || script.contains("while") ? .seconds(1) : .seconds(30)
        #expect(try made(Self.jpeg(40, 30), Self.sixel, chafa: script, limit: limit).reason.contains(reason))
    }

    @Test func `Hostile files are refused before any program reads them`() throws {
        #expect(try made(Self.png(30_001, 2), Self.kitty).reason.contains("too large"))
        #expect(try made(Self.png(0xFFFF_FFFF, 0xFFFF_FFFF), Self.kitty).reason.contains("too large"))
        #expect(try made(Array("#!/bin/sh\n".utf8), Self.sixel).reason.contains("no picture"))
        #expect(throws: EffectError.self) { try PictureFile("/dev/zero") }
        let fake = try Fake("exit 0")
        let link = fake.folder.appending(path: "link.png").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/passwd")
        #expect(throws: EffectError.self) { try PictureFile(link) }
    }

    @Test func `A program that makes pictures finds no terminal`() throws {
        let archive = try ScratchArchive()
        try Data(Self.jpeg(60, 40)).write(to: URL(fileURLWithPath: archive.path + "/a.jpg"))
        let message = ScratchArchive.message("m-3", "look", more: #","attachments":[{"name":"a.jpg","path":"a.jpg"}]"#)
        try archive.write(ScratchArchive.segment, message + "\n")
        let fake = try Fake(
            "(: < /dev/tty) 2>/dev/null && echo yes > $0.terminal || echo no > $0.terminal", name: "chafa")
        let path = "\(fake.folder.path):\(Program.environment["PATH"] ?? "")"
        let console = try Console(
            ["open", "--archive", archive.path, "general"], columns: 60, rows: 14, environment: ["PATH": path],
            shell: "exec setsid -c \"$@\"")
        try console.wait("opened") { console.text.contains("a.jpg") }
        console.type("p")
        try console.wait("asked") { console.text.contains("\u{1B}[c") }
        console.type("\u{1B}[?62;4c")
        try console.wait("run") { fake.file("terminal")?.isEmpty == false }
        #expect(fake.file("terminal") == "no\n")
    }

    @Test func `Pixels of Kitty's protocol are read, and nothing else`() {
        func rows(_ text: String) -> KittyRows? { KittyRows(Array(text.utf8)) }
        let good = "\u{1B}_Ga=T,f=32,s=1,v=2,c=1,r=1,m=1\u{1B}\\\u{1B}_Gm=1;AAAAAAA=\u{1B}\\\u{1B}_Gm=0;AAAA\u{1B}\\\n"
        #expect(rows(good)?.rows == [UInt8](repeating: 0, count: 8))
        #expect(rows(good.replacingOccurrences(of: "0;AAAA", with: "0;AAA=")) == nil, "a byte is missing")
        #expect(rows(good.replacingOccurrences(of: "0;AAAA", with: "0;AAA")) == nil)
        #expect(rows(good + "\u{1B}]0;x\u{7}") == nil && rows("") == nil)
    }

    @Test func `A terminal that shows pictures gets one by p, and loses it by Esc`() throws {
        let archive = try ScratchArchive()
        try Data(Self.png(60, 40)).write(to: URL(fileURLWithPath: archive.path + "/a.png"))
        let message = ScratchArchive.message("m-3", "look", more: #","attachments":[{"name":"a.png","path":"a.png"}]"#)
        try archive.write(ScratchArchive.segment, message + "\n")
        let console = try Console(["open", "--archive", archive.path, "general"], columns: 60, rows: 14)
        try console.wait("opened") { console.text.contains("a.png") }
        console.type("p")
        try console.wait("asked") { console.text.contains("\u{1B}[c") }
        #expect(console.text.contains("\u{1B}_Gi=31,s=1,v=1,a=q"))
        console.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62c")
        try console.wait("shown") { console.text.contains("a=T,t=d,f=100,i=1,p=1,c=6,r=2") }
        console.type("\u{1B}")
        try console.wait("removed") { console.text.contains("a=d,d=A") }
        console.type("q")
        #expect(try console.status() == 0)
    }

    @Test func `Without colour no terminal is asked for pictures`() throws {
        let archive = try ScratchArchive()
        let message = ScratchArchive.message("m-3", "look", more: #","attachments":[{"name":"a.png","path":"a.png"}]"#)
        try archive.write("a.png", "no picture")
        try archive.write(ScratchArchive.segment, message + "\n")
        let console = try Console(
            ["open", "--archive", archive.path, "general"], columns: 70, rows: 14, environment: ["NO_COLOR": "1"])
        try console.wait("opened") { console.text.contains("a.png") }
        console.type("p")
        try console.wait("refused") { console.text.contains("shows no pictures") }
        #expect(!console.text.contains("\u{1B}[c"))
    }
}
