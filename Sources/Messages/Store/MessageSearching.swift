/// Finds messages by their words, senders and times.
package protocol MessageSearching: Sendable {
    /// Looks for messages, thread replies included, while somebody asks for the next batch. A conversation that cannot be
    /// read gives a failure in its turn, and the search goes on with the others.
    func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>>

    /// Where in a conversation the hits of a query are: all of them, thread replies included. A failure is the end.
    func places(of query: ResolvedQuery, in conversation: ConversationID) -> AsyncStream<Result<PlaceBatch, StoreError>>

    /// Whether the store knows somebody by an ID or a name, as `SearchRequest.sender` has it. May take as long as a search.
    func knows(sender: String) async -> Bool
}
