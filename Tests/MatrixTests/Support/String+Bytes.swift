extension String {
    /// Calls `body` with the text as a server sends it.
    func asBody<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try Array(utf8).withUnsafeBytes(body)
    }
}
