/// How the user says that an export is to be read, where its files leave that open. Nil: Kedge finds it out.
package struct ReadingOptions: Hashable, Sendable {
    /// The ID of the format.
    package var format: String?
    /// The character set of lines that are no UTF-8, as `Charset.known` gives it.
    package var charset: String?
    /// The order of the numbers of a date.
    package var dates: DateOrder?

    package init(format: String? = nil, charset: String? = nil, dates: DateOrder? = nil) {
        (self.format, self.charset, self.dates) = (format, charset, dates)
    }

    /// Stands for what differs from nothing: empty, or as `-CP1251-dmy`.
    package var text: String {
        [charset, dates?.rawValue].compactMap { $0 }.map { "-\($0)" }.joined()
    }
}

/// The order of the numbers of a date.
package enum DateOrder: String, Hashable, Sendable, CaseIterable {
    case dayMonthYear = "dmy"
    case monthDayYear = "mdy"
    case yearMonthDay = "ymd"

    /// `day/month/year`
    var name: String {
        switch self {
        case .dayMonthYear: "day/month/year"
        case .monthDayYear: "month/day/year"
        case .yearMonthDay: "year/month/day"
        }
    }
}
