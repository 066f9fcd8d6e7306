/// A group of conversations under one title: a space of Matrix.
package struct Space: Hashable, Sendable, Identifiable {
    package let id: String
    package let title: String
    /// Its place among the spaces, counted from 0.
    package let place: Int

    package init(id: String, title: String, place: Int) { (self.id, self.title, self.place) = (id, title, place) }
}
