extension Model {
    mutating func ask(_ prompt: any Prompt) {
        self.prompt = prompt
        panel = .prompt
    }
}
