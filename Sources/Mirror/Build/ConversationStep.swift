internal import CMirror
internal import Formats
import Glibc
internal import Messages

/// The next thing to do for a conversation, decided by what is on the disk.
struct ConversationStep {
    let builder: ConversationBuilder
    /// The message whose piece is made first.
    let message: String?
    /// Whether a screen may show the conversation as it is: then a new one takes its place only when it is whole.
    let isShown: Bool
    /// Whether to compare all bytes with their checksums.
    let readsAll: Bool

    private var files: MirrorFiles { builder.files }

    /// Takes the step.
    /// - Returns: the state after it.
    func take(_ findings: inout ConversationBuilder.Findings) throws(StoreError) -> MirrorState {
        try ConversationFolder(files: files).make(builder.conversation)
        guard var state = try builder.wholeState(reads: readsAll), builder.continues(state) else {
            return isShown ? try remake(&findings) : try start(&findings)
        }
        if !state.isComplete {
            try makeNext(&state, &findings)
        } else if builder.hasMore(than: state) {
            try builder.extend(&state, &findings)
        }
        return state
    }

    /// Begins anew, with the piece that is wanted.
    private func start(_ findings: inout ConversationBuilder.Findings) throws(StoreError) -> MirrorState {
        unlink(files.state(of: builder.id))
        ConversationFolder(files: files).clear(builder.id)
        try ConversationFolder(files: files).make(builder.conversation)
        var state = try builder.plan()
        if state.pieces.isEmpty {
            state.tail = MirrorState.Tail(
                file: "", inode: 0, position: 0, mark: 0, converter: "", modified: 0, size: 0, grows: false, setting: ""
            )
            try builder.save(&state)
            return state
        }
        try makeNext(&state, &findings)
        return state
    }

    /// Makes the whole conversation beside the old one, and lets it take the old one's place.
    private func remake(_ findings: inout ConversationBuilder.Findings) throws(StoreError) -> MirrorState {
        var aside = files
        aside.isAside = true
        MirrorFiles.remove(aside.folder(of: builder.id))
        let builder = ConversationBuilder(
            files: aside, source: builder.source, format: builder.format, zone: builder.zone, key: builder.key,
            conversation: builder.conversation, names: builder.names)
        try ConversationFolder(files: aside).make(builder.conversation)
        var state = try builder.plan()
        while let index = state.pieces.lastIndex(where: { $0.size == nil }) {
            try builder.make(index, of: &state, &findings)
        }
        try builder.save(&state)
        // Readers see one of the two, never half of one.
        let (old, new) = (files.folder(of: builder.id), aside.folder(of: builder.id))
        let code = cmirror_exchange(new, old)
        guard code == 0 else { throw MirrorFiles.error(code, old) }
        try UnnamedFile.rename(aside.state(of: builder.id), files.state(of: builder.id))
        MirrorFiles.remove(new)
        return state
    }

    private func makeNext(
        _ state: inout MirrorState, _ findings: inout ConversationBuilder.Findings
    ) throws(StoreError) {
        let made = state.made
        let index: Int
        if made.isEmpty {
            index =
                try message.flatMap { (id) throws(StoreError) in try Finder(builder: builder).piece(of: id, in: state) }
                ?? state.pieces.count - 1
        } else if made.upperBound < state.pieces.count {
            index = made.upperBound
        } else {
            index = made.lowerBound - 1
        }
        guard state.pieces.indices.contains(index) else { return }
        try builder.make(index, of: &state, &findings)
    }
}
