/// The limits of native records.
package enum Record {
    /// The longest record that is read, in bytes: what is longer is reported and left out.
    package static let longest = 16 << 20
}
