internal import CSimdjson

/// The bytes that simdjson likes to read after the JSON.
enum JSONPadding {
    static let bytes = Int(csj_padding)
}
