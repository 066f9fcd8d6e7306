/// The longest text that Kedge copies. Terminals drop longer ones without a word.
package enum ClipboardLimit {
    package static let bytes = 1 << 20
}
