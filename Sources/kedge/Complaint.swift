import Display

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One line on stderr. What went wrong may quote a file or an argument: it is as hostile as a message.
func complain(_ text: String) {
    let line = Array("kedge: \(CleanText(text))\n".utf8)
    // Where nobody reads stderr there is nobody to tell that it failed.
    _ = write(STDERR_FILENO, line, line.count)
}
