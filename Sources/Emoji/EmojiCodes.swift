/// Finds emoji by the short codes that chats write between colons: `+1`, `man-shrugging`, `wave::skin-tone-3`, `flag-de`.
package enum EmojiCodes {
    /// Appends the emoji of a short code.
    /// - Returns: false for a code of no Unicode emoji; then nothing is appended.
    package static func append(_ code: UnsafeRawBufferPointer, to bytes: inout [UInt8]) -> Bool {
        let (name, tone) = split(code)
        if let emoji = table.emoji(named: name) {
            append(emoji, tone: tone, to: &bytes)
            return true
        }
        guard let flag = flag(name) else { return false }
        bytes += flag
        return true
    }

    // MARK: - Skin tones and flags

    /// The name, and the last byte of the skin tone's character: `skin-tone-2` is U+1F3FB, `skin-tone-6` U+1F3FF.
    private static func split(_ code: UnsafeRawBufferPointer) -> (name: UnsafeRawBufferPointer, tone: UInt8?) {
        let suffix = Array("::skin-tone-".utf8)
        guard code.count > suffix.count + 1, let digit = code.last, (0x32...0x36).contains(digit) else {
            return (code, nil)
        }
        let start = code.count - suffix.count - 1
        guard code[start..<code.count - 1].elementsEqual(suffix) else { return (code, nil) }
        return (UnsafeRawBufferPointer(rebasing: code[..<start]), 0xBB + (digit - 0x32))
    }

    /// Inserts the tone after the first character, in place of the variation selector.
    private static func append(_ emoji: ArraySlice<UInt8>, tone: UInt8?, to bytes: inout [UInt8]) {
        guard let tone, let first = emoji.first else {
            bytes += emoji
            return
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        bytes += emoji.prefix(length)
        bytes += [0xF0, 0x9F, 0x8F, tone]
        let rest = emoji.dropFirst(length)
        bytes += rest.starts(with: [0xEF, 0xB8, 0x8F]) ? rest.dropFirst(3) : rest
    }

    /// `flag-de`: two regional indicators.
    private static func flag(_ name: UnsafeRawBufferPointer) -> [UInt8]? {
        guard name.count == 7, name.starts(with: Array("flag-".utf8)),
            name[5...].allSatisfy({ (0x61...0x7A).contains($0) })
        else { return nil }
        return name[5...].flatMap { [0xF0, 0x9F, 0x87, 0xA6 + ($0 - 0x61)] }
    }

    // MARK: - The table

    private static let table = Table()

    /// The table, by hashes of names. Made when the first code is looked up.
    private struct Table: Sendable {
        private let text = Array(EmojiTable.text.utf8)
        private var places: [UInt64: Range<Int>] = [:]

        init() {
            // The first name of a line is Unicode's, those after it are GitHub's. Chats use GitHub's: `cat` is a cat's face.
            for isUnicodes in [true, false] {
                for line in text.split(separator: 0x0A) { add(line, isUnicodes: isUnicodes) }
            }
            for (code, name) in EmojiCodes.others {
                places[Self.hash(code.utf8)] = places[Self.hash(name.utf8)]
            }
        }

        private mutating func add(_ line: ArraySlice<UInt8>, isUnicodes: Bool) {
            let words = line.prefix { $0 != UInt8(ascii: "|") }.split(separator: UInt8(ascii: " "))
            guard let emoji = words.first else { return }
            let names = words.dropFirst()
            for name in isUnicodes ? names.prefix(1) : names.dropFirst() {
                places[Self.hash(name)] = emoji.startIndex..<emoji.endIndex
            }
        }

        func emoji(named name: UnsafeRawBufferPointer) -> ArraySlice<UInt8>? {
            if let place = places[Self.hash(name)] { return text[place] }
            // Slack's `female-technologist` is Unicode's `woman_technologist`.
            for (prefix, other) in [("female-", "woman_"), ("male-", "man_")] where name.starts(with: prefix.utf8) {
                return places[Self.hash(Array(other.utf8) + name.dropFirst(prefix.utf8.count))].map { text[$0] }
            }
            return nil
        }

        /// FNV-1a, 64 bits (Fowler, Noll, Vo); "-" counts as "_".
        private static func hash(_ name: some Sequence<UInt8>) -> UInt64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in name {
                let byte = byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            return hash
        }
    }

    /// Codes of Slack and GitHub that are not in the table, with the table's names for their emoji.
    static let others: [(code: String, name: String)] = [
        ("black_right_pointing_double_triangle_with_vertical_bar", "next_track_button"),
        ("black_square_for_stop", "stop_button"), ("cop", "police_officer"), ("dagger_knife", "dagger"),
        ("dancer", "woman_dancing"), ("derelict_house_building", "derelict_house"),
        ("double_vertical_bar", "pause_button"), ("face_palm", "facepalm"),
        ("face_with_cowboy_hat", "cowboy_hat_face"), ("face_with_finger_covering_closed_lips", "shushing_face"),
        ("facepunch", "fist_oncoming"), ("first_place_medal", "1st_place_medal"), ("flipper", "dolphin"),
        ("grinning_face_with_one_large_and_one_small_eye", "zany_face"),
        ("grinning_face_with_star_eyes", "star_struck"),
        ("hand_with_index_and_middle_fingers_crossed", "crossed_fingers"), ("heavy_exclamation_mark", "exclamation"),
        ("heavy_heart_exclamation_mark_ornament", "heavy_heart_exclamation"), ("hugging_face", "hugs"),
        ("i_love_you_hand_sign", "love_you_gesture"), ("information_desk_person", "tipping_hand_person"),
        ("knife", "hocho"), ("knife_fork_plate", "plate_with_cutlery"), ("lantern", "izakaya_lantern"),
        ("large_green_circle", "green_circle"), ("large_orange_circle", "orange_circle"),
        ("large_purple_circle", "purple_circle"), ("large_yellow_circle", "yellow_circle"),
        ("left-facing_fist", "fist_left"), ("lightning", "cloud_with_lightning"), ("lower_left_ballpoint_pen", "pen"),
        ("lower_left_crayon", "crayon"), ("medal", "medal_military"), ("octagonal_sign", "stop_sign"),
        ("pencil", "memo"), ("poop", "hankey"), ("punch", "fist_oncoming"), ("rain_cloud", "cloud_with_rain"),
        ("red_car", "car"), ("right-facing_fist", "fist_right"), ("robot_face", "robot"), ("running", "runner"),
        ("satisfied", "laughing"), ("second_place_medal", "2nd_place_medal"),
        ("serious_face_with_symbols_covering_mouth", "cursing_face"), ("shipit", "chipmunk"), ("shit", "hankey"),
        ("shocked_face_with_exploding_head", "exploding_head"), ("shoe", "mans_shoe"), ("sign_of_the_horns", "metal"),
        ("simple_smile", "slightly_smiling_face"), ("sleuth_or_spy", "detective"),
        ("smiling_face_with_3_hearts", "smiling_face_with_three_hearts"), ("snow_capped_mountain", "mountain_snow"),
        ("snow_cloud", "cloud_with_snow"), ("speaking_head_in_silhouette", "speaking_head"),
        ("spiral_calendar_pad", "spiral_calendar"), ("spock-hand", "vulcan_salute"), ("sports_medal", "medal_sports"),
        ("squirrel", "chipmunk"), ("the_horns", "metal"), ("third_place_medal", "3rd_place_medal"),
        ("thumbsdown", "-1"), ("thumbsup", "+1"), ("thunder_cloud_and_rain", "cloud_with_lightning_and_rain"),
        ("tshirt", "shirt"), ("unicorn_face", "unicorn"), ("waving_black_flag", "black_flag"),
        ("waving_white_flag", "white_flag"), ("white_frowning_face", "frowning_face"),
    ]
}

/// Finds emoji by the names and keywords of `EmojiTable`.
package enum EmojiNames {
    package struct Named: Hashable, Sendable {
        package let emoji: String
        package let name: String

        package init(emoji: String, name: String) { (self.emoji, self.name) = (emoji, name) }
    }

    /// The emoji that are offered before anything is typed. Among equally good matches, they come first.
    static let usual = [
        Named(emoji: "👍", name: "thumbs_up"), Named(emoji: "❤️", name: "red_heart"),
        Named(emoji: "😂", name: "face_with_tears_of_joy"), Named(emoji: "🎉", name: "party_popper"),
        Named(emoji: "😢", name: "crying_face"), Named(emoji: "👀", name: "eyes"),
        Named(emoji: "🙏", name: "folded_hands"), Named(emoji: "🔥", name: "fire"),
        Named(emoji: "✅", name: "check_mark_button"), Named(emoji: "💯", name: "hundred_points"),
    ]

    /// The emoji with the typed text in a name or keyword, the best match first, each once. Nothing is cached: each call searches
    /// the table.
    package static func matching(_ typed: String, limit: Int) -> [Named] {
        let typed = Array(typed.lowercased().replacing(" ", with: "_").utf8)
        if typed.isEmpty { return Array(usual.prefix(limit)) }
        var table = EmojiTable.text
        let found = table.withUTF8 { table in
            table.split(separator: lineFeed).enumerated().compactMap { place, line in
                match(typed, line).map { (rank: $0.rank, place: place, named: $0.named) }
            }
        }
        let best = found.map { match in
            (match.rank, usual.contains { $0.emoji == match.named.emoji } ? 0 : 1, match.place, match.named)
        }
        return best.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.prefix(limit).map(\.3)
    }

    /// The first name of an emoji, with or without its variation selector; nil if the table does not contain it.
    package static func name(of emoji: String) -> String? {
        func isSelector(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0xFE0F }
        let wanted = emoji.unicodeScalars.lazy.filter { !isSelector($0) }
        var table = EmojiTable.text
        return table.withUTF8 { table in
            for line in table.split(separator: lineFeed) {
                let words = line.split(maxSplits: 2) { $0 == blank || $0 == bar }
                guard words.count > 1,
                    String(decoding: words[0], as: UTF8.self).unicodeScalars.lazy
                        .filter({ !isSelector($0) }).elementsEqual(wanted)
                else { continue }
                return String(decoding: words[1], as: UTF8.self)
            }
            return nil
        }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static let lineFeed = UInt8(ascii: "\n")
    private static let blank = UInt8(ascii: " ")
    private static let bar = UInt8(ascii: "|")
    private static let underscore = UInt8(ascii: "_")

    /// The best matching name of an emoji; the emoji's first name if only a keyword matches.
    private static func match(_ typed: [UInt8], _ line: Bytes) -> (rank: Int, named: Named)? {
        let parts = line.split(separator: bar, maxSplits: 1)
        guard let words = parts.first?.split(separator: blank), let emoji = words.first, words.count > 1 else {
            return nil
        }
        var best: (rank: Int, name: Bytes)?
        func offer(_ rank: Int?, _ name: Bytes) {
            if let rank, rank < best?.rank ?? .max { best = (rank, name) }
        }
        for name in words.dropFirst() { offer(rank(of: typed, inName: name), name) }
        for keyword in parts.dropFirst().first?.split(separator: blank) ?? [] {
            offer(rank(of: typed, inKeyword: keyword), words[1])
        }
        return best.map {
            (
                $0.rank,
                Named(emoji: String(decoding: emoji, as: UTF8.self), name: String(decoding: $0.name, as: UTF8.self))
            )
        }
    }

    /// The rank of a match; nil if there is none. From best to worst: the name is the typed text (ignoring underscores), begins
    /// with it, has a word that begins with it, or contains it.
    private static func rank(of typed: [UInt8], inName name: Bytes) -> Int? {
        if isSame(typed, name) { return 0 }
        if name.starts(with: typed) { return 1 }
        return beginsWord(typed, of: name) ? 3 : contains(typed, name) ? 5 : nil
    }

    private static func rank(of typed: [UInt8], inKeyword keyword: Bytes) -> Int? {
        if isSame(typed, keyword) { return 2 }
        return keyword.starts(with: typed) || beginsWord(typed, of: keyword) ? 4 : contains(typed, keyword) ? 6 : nil
    }

    private static func isSame(_ typed: [UInt8], _ name: Bytes) -> Bool {
        name.count >= typed.count - typed.count(where: { $0 == underscore })
            && typed.lazy.filter { $0 != underscore }.elementsEqual(name.lazy.filter { $0 != underscore })
    }

    private static func beginsWord(_ typed: [UInt8], of name: Bytes) -> Bool {
        name.indices.contains { name[$0] == underscore && name[$0...].dropFirst().starts(with: typed) }
    }

    private static func contains(_ typed: [UInt8], _ name: Bytes) -> Bool {
        name.indices.contains { name[$0...].starts(with: typed) }
    }
}
