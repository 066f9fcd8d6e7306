/// A request that waits for its response: the connection that it came on, and its number there.
package struct Asker: Hashable, Sendable {
    package let client: Int
    package let number: Int

    package init(client: Int, number: Int) { (self.client, self.number) = (client, number) }
}
