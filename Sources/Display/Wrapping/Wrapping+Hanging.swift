/// Wraps a line like `wrap`, and indents all rows but the first by the width of the first `hang` bytes: the text of a
/// list item stays beside its mark. When that would leave less than half of the columns, nothing is indented.
/// - Parameter hang: UTF-8 bytes that end with a blank.
package func wrap(_ text: CleanText, columns: Int, hanging hang: Int) -> [WrappedRow] {
    let limit = max(1, columns)
    guard hang > 0, text.columns > limit else { return wrap(text, columns: limit) }
    let bytes = text.string.utf8.count
    let head = CleanText(Substring(text.string.utf8.prefix(hang)))
    let indent = head.columns
    guard hang < bytes, indent * 2 <= limit else { return wrap(text, columns: limit) }
    let rest = text.slice(hang..<bytes, columns: text.columns - indent)
    var rows = wrap(rest, columns: limit - indent)
    for index in rows.indices {
        rows[index].start += hang
        rows[index].indent = indent
    }
    rows[0] = WrappedRow(text: head + rows[0].text, start: 0)
    return rows
}
