import Display
import Messages

/// The colour of a sender's name: the same on every screen and on every day.
enum NameColor {
    /// FNV-1a, 32 bits (Fowler, Noll, Vo), since Swift's own hashes differ from run to run.
    static func index(for id: PersonID) -> Int {
        let hash = id.rawValue.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Int(hash % UInt32(Color.nameCount))
    }
}
