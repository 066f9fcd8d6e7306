import Display
import Messages

/// A time in a list: the clock for today, the day and month for this year, else the date.
enum When {
    static func columns(_ zone: Zone) -> Int { 7 + zone.clockColumns }

    static func label(_ moment: Timestamp, now: Timestamp, zone: Zone) -> CleanText {
        let civil = zone.civil(moment)
        let today = zone.civil(now).date
        if civil.date == today { return CleanText(zone.clock(civil)) }
        if civil.date.year == today.year { return CleanText("\(civil.date.dayAndMonth) \(zone.clock(civil))") }
        return CleanText(civil.date.short)
    }
}
