/// The reason why a command did not do its work: one line on stderr, and the exit status.
struct Failure: Error {
    static let none: Int32 = 1
    static let usage: Int32 = 2
    static let disk: Int32 = 3
    static let server: Int32 = 4

    let status: Int32
    let text: String

    init(_ status: Int32, _ text: String) { (self.status, self.text) = (status, text) }
}
