package import Messages
internal import Relay
internal import Threads

/// Rooms that are joined and left on the server.
extension ServedStore {
    package func invitations() async -> [Invitation] { await archive.invitations() }

    package func listChanges() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [helper] continuation in
            let stop = helper.watch { if case .rooms = $0 { continuation.yield() } }
            continuation.onTermination = { _ in stop() }
        }
    }

    package func join(_ address: String) async throws(StoreError) -> Conversation? {
        switch await helper.ask(.join(address: address)) {
        case .joined(let id): return try await archive.conversation(id)
        case .done, .fetched, .found, .members, .version: return nil
        case .failed(let reason, _): throw .notSent("not joined: \(reason)")
        case nil: throw .notSent("not joined: \(helper.silence)")
        }
    }

    package func decline(_ invitation: Invitation) async throws(StoreError) {
        try await ask(.decline(room: invitation.id), otherwise: "not declined")
    }

    package func leave(_ conversation: ConversationID) async throws(StoreError) {
        try await ask(.leave(conversation), otherwise: "not left")
    }

    package func members(of conversation: ConversationID) async throws(StoreError) -> [Person] {
        switch await helper.ask(.members(conversation)) {
        case .members(let people): return people
        case .failed(let reason, _): throw .unavailable(reason)
        case .done, .fetched, .found, .joined, .version, nil: throw .unavailable(helper.silence)
        }
    }

    private func ask(_ request: RelayRequest.Content, otherwise: String) async throws(StoreError) {
        switch await helper.ask(request) {
        case .done, .fetched, .found, .joined, .members, .version: return
        case .failed(let reason, _): throw .notSent("\(otherwise): \(reason)")
        case nil: throw .notSent("\(otherwise): \(helper.silence)")
        }
    }
}
