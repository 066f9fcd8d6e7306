extension Model {
    var notice: Notices.Notice? {
        get { notices.notice }
        set { notices.notice = newValue }
    }

    mutating func tell(_ text: String) { notice = Notices.Notice(text: text) }

    mutating func warn(_ text: String) { notice = Notices.Notice(text: text, isWarning: true) }
}
