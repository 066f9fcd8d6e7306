/// A task that programs do, each in its own way.
struct Race: Sendable {
    let letter: Character
    let run: @Sendable (Bench) throws -> Void

    static let all: [Race] = [
        Race(letter: "a", run: firstFrame), Race(letter: "b", run: openAtMessage),
        Race(letter: "c", run: openWithoutIndex),
        Race(letter: "d", run: reachMessage), Race(letter: "e", run: buildIndex), Race(letter: "f", run: searchOnPipe),
        Race(letter: "g", run: searchAsTyped), Race(letter: "h", run: turnPages), Race(letter: "i", run: compareMemory),
        Race(letter: "j", run: countBytes), Race(letter: "k", run: countWakeUps),
        Race(letter: "l", run: countHits),
    ]
}
