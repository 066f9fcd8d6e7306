import Dates
import Testing

@testable import Formats

struct WrittenMomentTests {
    @Test(arguments: [
        ("Jan 01, 2024 9:05:33 am", "2024-01-01", 32_733), ("Wed, May 17 2023 17:03:32", "2023-05-17", 61_412),
        ("5. Mai 2024, 21:04", "2024-05-05", 75_840), ("12-Mar-19 10:00 PM", "2019-03-12", 79_200),
        ("Jul 17, 2022  5:04:04\u{202F}PM", "2022-07-17", 61_444), ("mar. 5 nov. 2024 09:05", "2024-11-05", 32_700),
        ("Friday, September 1, 2017 at 9:05pm UTC+02", "2017-09-01", 75_900),
        ("2023年5月17日 17:03", "2023-05-17", 61_380),
        ("오후 9:05 2024. 1. 5.", "2024-01-05", 75_900), ("05.01.2024, 09:12", "2024-01-05", 33_120),
        ("Tue Mar  5 09:12:33 2024", "2024-03-05", 33_153), ("5 марта 2024 г. 9:05", "2024-03-05", 32_700),
        ("12:00 AM, 31 Dec 2023", "2023-12-31", 0),
    ]) func `a day and a time are read as programs write them`(text: String, day: String, second: Int) {
        let found = WrittenMoment(text)
        #expect(found.day.map { CivilDate(daysSinceEpoch: $0).iso8601 } == day)
        #expect(found.second == second)
    }

    @Test func `a zone is read, and numbers alone are told`() {
        #expect(WrittenMoment("1 Sep 2017 21:05 UTC+02").east == 7_200)
        #expect(WrittenMoment("1 Sep 2017 21:05 UTC-03:30").east == -12_600)
        #expect(WrittenMoment("02/01/2024 09:05").numbers != nil)
        #expect(WrittenMoment("2024-02-01 09:05").numbers == nil)
        #expect(WrittenMoment("02/01/2024 09:05", order: .monthDayYear).day == WrittenMoment("2024-02-01").day)
    }

    @Test(arguments: [
        "", ":", "9:", ":05", "25:61 5 May 2024", "now", "5 May", "99:99:99", "1:2:3:4:5", "\u{202F}:\u{202F}1",
    ])
    func `what tells no time is no moment`(text: String) {
        let found = WrittenMoment(text)
        #expect(found.day == nil || found.second == nil || found.second.map { $0 < 86_400 } == true)
    }
}
