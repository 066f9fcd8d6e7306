internal import CSimdjson

/// The number of readable bytes that simdjson requires after the JSON.
enum JSONPadding {
    static let bytes = Int(csj_padding)
}
