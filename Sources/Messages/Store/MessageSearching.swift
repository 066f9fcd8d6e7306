/// Finds messages by their words, senders and times.
package protocol MessageSearching: Sendable {
    /// Searches messages, thread replies included, as far as the caller asks for batches. A conversation that cannot be
    /// read yields a failure in its turn, and the search goes on with the others.
    func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>>

    /// The places of all hits of a query in a conversation, thread replies included. A failure ends it.
    func places(of query: ResolvedQuery, in conversation: ConversationID) -> AsyncStream<Result<PlaceBatch, StoreError>>

    /// Whether the store knows a sender by an ID or a name, in the sense of `SearchRequest.sender`. May take as long as
    /// a search.
    func knows(sender: String) async -> Bool
}
