internal import Glibc

/// The system gives no thread: too many run already, or there is no memory for one more.
package struct NoThread: Error, CustomStringConvertible {
    /// The system's number for the reason.
    package let code: CInt

    /// The reason in the system's words.
    package var description: String { String(cString: strerror(code)) }
}
