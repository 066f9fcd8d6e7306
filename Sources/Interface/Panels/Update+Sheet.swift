import Messages

/// The open sheet.
extension Model {
    mutating func open(_ sheet: some Sheet) -> [Effect] {
        stayHere()
        panel = .sheet
        sheets += 1
        sheetRetries = Retries()
        self.sheet = sheet
        return inSheet { $0.begin(in: $1) }
    }

    mutating func inSheet(_ body: (inout any Sheet, Context) -> [Outcome]) -> [Effect] {
        let context = context
        guard panel == .sheet, var open = sheet else { return [] }
        // It would be copied if it were held twice.
        sheet = nil
        let outcomes = body(&open, context)
        sheet = open
        return carryOut(outcomes)
    }

    /// A sheet that is closed needs no replies any more.
    mutating func stopAsking() -> [Effect] {
        guard hasAsked, sheet == nil else { return [] }
        hasAsked = false
        return [.stopAsking]
    }

    /// A reply to a sheet that is closed meanwhile has no effect.
    mutating func receive(_ answer: SheetAnswer, forSheet number: Int) -> [Effect] {
        guard number == sheets else { return [] }
        // A question may have many replies, and each that comes shows that the store responds.
        if answer.error == nil { sheetRetries = Retries() }
        if case .members(.success(let people)) = answer, let id = conversation?.id { writing.members[id] = people }
        return inSheet { $0.receive(answer, in: $1) }
    }

    /// A question that has failed is asked again while its sheet is open.
    mutating func retryLater(_ question: SheetQuestion, ofSheet number: Int, _ error: StoreError) -> [Effect] {
        guard number == sheets, sheet != nil else { return [] }
        return [sheetRetries.fail(error, .sheet(number, question))].compactMap(\.self)
    }

    mutating func retry(_ question: SheetQuestion, ofSheet number: Int) -> [Effect] {
        guard number == sheets, sheet != nil else { return [] }
        sheetRetries.begin()
        return [.askForSheet(number, question)]
    }
}
