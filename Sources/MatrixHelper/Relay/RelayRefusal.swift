/// Why a request of Kedge cannot be carried out: one line for people.
struct RelayRefusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
