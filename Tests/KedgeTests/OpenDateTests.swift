import Testing

/// `--date`, in words.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct OpenDateTests {
    @Test(arguments: ["2025-01-15 07:19", "15 january 2025, 7:19 am", "7:19 15.1.2025"])
    func `A date in words opens at the first message at or after it`(date: String) throws {
        let command = "\"$KEDGE\" open --archive '\(Program.demo)' general --date '\(date)'"
        let tmux = try Tmux(columns: 100, rows: 30, command: command)
        let screen = try tmux.waitUntilStill("opened") { $0.last?.contains("general/m-") == true }
        #expect(screen.last?.hasPrefix(" general/m-001500") == true)
    }

    @Test func `A percentage opens at that share of the conversation`() throws {
        let tmux = try Tmux(
            columns: 100, rows: 30, command: "\"$KEDGE\" open --archive '\(Program.demo)' general --date 50%")
        let screen = try tmux.waitUntilStill("opened") { $0.last?.contains("general/m-") == true }
        let middle = try #require(screen.last?.firstMatch(of: #/general\/m-(\d+)/#)?.1)
        try tmux.press("5", "0", "%")
        try tmux.waitUntil("there") { $0.last?.contains("general/m-\(middle)") == true }
        for date in ["101%", "-1%", "%", "5 0 %x", "NaN%", "1e1%", ".5%", "5.%"] {
            let result = try Program.kedge("open", "general", "--date=\(date)", "--archive", Program.demo)
            #expect(result.status == 2 && result.errors.contains("is not a date"), "\(date): \(result)")
        }
    }

    @Test func `A text that is not a date is named, with examples of dates`() throws {
        let result = try Program.kedge("open", "general", "--date", "1/3/2024", "--archive", Program.demo)
        #expect(result.status == 2)
        #expect(
            result.errors
                == "kedge: \"1/3/2024\" is not a date that Kedge understands; try 2025-03-01, \"1 march\", yesterday, "
                + "\"3 weeks ago\" or 12:30, or 50%\n")
    }
}
