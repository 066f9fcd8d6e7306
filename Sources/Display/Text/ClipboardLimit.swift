/// How much text is put into a clipboard: longer texts are not its business, and terminals drop them without a word.
package enum ClipboardLimit {
    package static let bytes = 1 << 20
}
