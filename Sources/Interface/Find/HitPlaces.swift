import Algorithms
import Messages

/// The places of hits, newest first, in four bytes each and some more for replies: a word that everybody uses has hundreds
/// of thousands. Their ordinals stay as they are, since more come at the old end only.
struct HitPlaces: Hashable, Sendable {
    private static let replyMark: UInt32 = 1 << 31

    /// With a mark for replies.
    private var orders: [UInt32] = []
    /// The ordinals of replies, rising, and the indices at which those are shown.
    private var replies: [UInt32] = []
    private var replyIndices: [UInt32] = []
    /// A bit for each index of the conversation at which a hit is shown.
    private var shown: [UInt64] = []

    var count: Int { orders.count }
    var last: HitPlace? { count == 0 ? nil : self[count - 1] }

    subscript(ordinal: Int) -> HitPlace {
        let order = Int(orders[ordinal] & ~HitPlaces.replyMark)
        guard orders[ordinal] & HitPlaces.replyMark != 0 else { return HitPlace(order: order, index: order) }
        let number = replies.partitioningIndex { $0 >= ordinal }
        return HitPlace(order: order, index: Int(replyIndices[number]), isReply: true)
    }

    mutating func append(_ places: [HitPlace]) {
        for place in places {
            let order = HitPlaces.clamped(place.order)
            if place.isReply {
                replies.append(UInt32(clamping: orders.count))
                replyIndices.append(HitPlaces.clamped(place.index))
                orders.append(order | HitPlaces.replyMark)
            } else {
                orders.append(order)
            }
            show(Int(HitPlaces.clamped(place.index)))
        }
    }

    private static func clamped(_ number: Int) -> UInt32 { min(UInt32(clamping: number), replyMark - 1) }

    private mutating func show(_ index: Int) {
        if index >> 6 >= shown.count { shown.append(contentsOf: repeatElement(0, count: index >> 6 + 1 - shown.count)) }
        shown[index >> 6] |= 1 << UInt64(index & 63)
    }

    /// The first index at which a hit is shown, from `index` on.
    func firstShown(from index: Int) -> Int? {
        let index = max(0, index)
        guard index >> 6 < shown.count else { return nil }
        let first = shown[index >> 6] & (~0 << UInt64(index & 63))
        if first != 0 { return index & ~63 + first.trailingZeroBitCount }
        guard let word = shown[(index >> 6 + 1)...].firstIndex(where: { $0 != 0 }) else { return nil }
        return word << 6 + shown[word].trailingZeroBitCount
    }

    /// The first ordinal whose place is before `place`, or `count`.
    func firstOrdinal(before place: HitPlace) -> Int { orders.indices.partitioningIndex { self[$0] < place } }

    /// The first ordinal whose place is not after `place`, or `count`.
    func firstOrdinal(notAfter place: HitPlace) -> Int {
        orders.indices.partitioningIndex { !(place < self[$0]) }
    }

    /// The ordinal of a place; of replies at the same place the newest one's.
    func ordinal(of place: HitPlace) -> Int? {
        var ordinal = firstOrdinal(notAfter: place)
        while ordinal < count, self[ordinal].order == place.order {
            if self[ordinal] == place { return ordinal }
            ordinal += 1
        }
        return nil
    }
}
