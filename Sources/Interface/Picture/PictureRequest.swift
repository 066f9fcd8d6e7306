package import Display
package import Messages

/// Asks for a picture.
package struct PictureRequest: Hashable, Sendable {
    /// Given once, so it becomes the number of the picture too.
    package let number: Int
    package let file: MessageFile
    /// The cells that the picture may cover.
    package let room: Size
}
