/// An export as its format describes it, before any record is converted.
package struct ForeignArchive: Sendable {
    /// The name of the workspace, server or network; nil if the files do not tell it.
    package var name: String?
    /// The ID of the person whose export it is; nil if unknown.
    package var me: String?
    /// The people that the files list apart from the records. Converters report others with `RecordWriter.person`.
    package var people: [ForeignPerson]
    package var conversations: [ForeignConversation]
    /// Files that were not understood.
    package var problems: [ForeignProblem]

    package init(
        name: String? = nil, me: String? = nil, people: [ForeignPerson] = [], conversations: [ForeignConversation] = [],
        problems: [ForeignProblem] = []
    ) {
        self.name = name
        self.me = me
        self.people = people
        self.conversations = conversations
        self.problems = problems
    }
}
