internal import Glibc

/// The system cannot start a thread: too many are running, or there is no memory for another one.
package struct NoThread: Error, CustomStringConvertible {
    /// The system's error number.
    package let code: CInt

    /// The system's text for the error.
    package var description: String { String(cString: strerror(code)) }
}
