extension PageRequest.Position {
    /// The place that a text such as `50%` names: a share of the conversation, from 0 to 100. Nil for any other text.
    package init?(percentage text: String) {
        let text = text.filter { $0 != " " }
        let digits = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.last == "%", text.utf8.count <= 12,
            digits.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }),
            let percent = Double(text.dropLast()), percent <= 100
        else { return nil }
        self = percent == 0 ? .earliest : percent == 100 ? .latest : .share(percent / 100)
    }
}
