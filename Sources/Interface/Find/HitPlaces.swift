import Messages
import Search

/// The places of hits, newest first. A place takes four bytes, one of a reply some more: a common word has hundreds of thousands
/// of hits. New places are appended at the old end only, so ordinals never change.
struct HitPlaces: Hashable, Sendable {
    private static let replyMark: UInt32 = 1 << 31

    /// The places; those of replies have a mark.
    private var orders: [UInt32] = []
    /// The ordinals of replies, ascending, and the indices of the messages that show them.
    private var replies: [UInt32] = []
    private var replyIndices: [UInt32] = []
    /// A bit for each index of the conversation, set if that message shows a hit.
    private var shown: [UInt64] = []

    var count: Int { orders.count }
    /// The ordinal of the newest hit is `HitOrdinal.newest`; this is that of the oldest one.
    var oldest: HitOrdinal? { count == 0 ? nil : HitOrdinal(count - 1) }
    var last: HitPlace? { oldest.map { self[$0] } }

    subscript(ordinal: HitOrdinal) -> HitPlace {
        let marked = orders[ordinal.value]
        let order = Int(marked & ~HitPlaces.replyMark)
        guard marked & HitPlaces.replyMark != 0 else { return HitPlace(order: order, index: order) }
        let number = replies.partitioningIndex { $0 >= ordinal.value }
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

    /// The index of the first message from `index` on that shows a hit.
    func firstShown(from index: Int) -> Int? {
        let index = max(0, index)
        guard index >> 6 < shown.count else { return nil }
        let first = shown[index >> 6] & (~0 << UInt64(index & 63))
        if first != 0 { return index & ~63 + first.trailingZeroBitCount }
        guard let word = shown[(index >> 6 + 1)...].firstIndex(where: { $0 != 0 }) else { return nil }
        return word << 6 + shown[word].trailingZeroBitCount
    }

    func contains(_ ordinal: HitOrdinal) -> Bool { orders.indices.contains(ordinal.value) }

    /// The first ordinal whose place is before `place`, or the one after the oldest.
    func firstOrdinal(before place: HitPlace) -> HitOrdinal { firstOrdinal { $0 < place } }

    /// The first ordinal whose place is not after `place`, or the one after the oldest.
    func firstOrdinal(notAfter place: HitPlace) -> HitOrdinal { firstOrdinal { !(place < $0) } }

    private func firstOrdinal(where isReached: (HitPlace) -> Bool) -> HitOrdinal {
        HitOrdinal(orders.indices.partitioningIndex { isReached(self[HitOrdinal($0)]) })
    }

    /// The number of hits in the same thread that are newer than a reply.
    func newerReplies(than ordinal: HitOrdinal) -> Int {
        guard let own = replies.firstIndex(of: UInt32(clamping: ordinal.value)) else { return 0 }
        return replyIndices[..<own].count { $0 == replyIndices[own] }
    }

    /// The ordinal of a hit in the thread whose root has this index.
    /// - Parameter newer: the number of newer hits in that thread.
    func ordinal(ofReplyTo root: Int, newer: Int) -> HitOrdinal? {
        let own = replyIndices.indices.lazy.filter { Int(replyIndices[$0]) == root }.dropFirst(newer).first
        return own.map { HitOrdinal(Int(replies[$0])) }
    }

    /// The ordinal of a place; for replies at the same place, that of the newest.
    func ordinal(of place: HitPlace) -> HitOrdinal? {
        var ordinal = firstOrdinal(notAfter: place)
        while contains(ordinal), self[ordinal].order == place.order {
            if self[ordinal] == place { return ordinal }
            ordinal = ordinal.next(.older)
        }
        return nil
    }
}

/// The place of a hit among the collected ones: 0 is the newest. A type of its own, so that it is never mistaken for the index of
/// a message in the conversation or in the loaded window.
struct HitOrdinal: Hashable, Comparable, Sendable {
    let value: Int

    init(_ value: Int) { self.value = value }

    static let newest = HitOrdinal(0)

    static func < (a: HitOrdinal, b: HitOrdinal) -> Bool { a.value < b.value }
}

/// The direction of a step from hit to hit.
enum FindDirection: Hashable, Sendable {
    case older, newer

    var opposite: FindDirection { self == .older ? .newer : .older }
}

extension HitOrdinal {
    /// The next ordinal. It may have no hit.
    func next(_ direction: FindDirection) -> HitOrdinal { HitOrdinal(direction == .older ? value + 1 : value - 1) }
}
