package import Formats

/// Requests for files.
extension MatrixRequest {
    /// The longest files that are fetched, in bytes.
    package static let longestFile = 256 << 20

    /// Asks for a file.
    package static func media(_ address: MediaAddress) -> MatrixRequest {
        MatrixRequest(
            .get, ["_matrix", "client", "v1", "media", "download", address.server, address.media], limit: 1_800_000,
            longestResponse: longestFile)
    }

    /// Asks for a file as all servers knew it before 2024. Anybody may ask, so no token is sent, and redirects are followed.
    package static func oldMedia(_ address: MediaAddress) -> MatrixRequest {
        MatrixRequest(
            .get, ["_matrix", "media", "v3", "download", address.server, address.media], isAuthorized: false,
            limit: 1_800_000, longestResponse: longestFile)
    }
}
