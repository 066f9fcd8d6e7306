import Display
import Messages
import Testing

@testable import Interface

/// While the index is made, the status line stays as it is.
struct OpeningStatusTests {
    @Test(arguments: [40, 60, 72, 100, 200])
    func `An index that is soon complete is not reported, and the hints stay`(columns: Int) {
        var stage = Stage.open(Script.long(30), at: nil, columns: columns, rows: 12, me: PersonID("ana"))
        let opened = stage.frame
        for share in 0..<100 {
            stage.send(.news(.preparing(StoreProgress(.indexing, share: Double(share) / 100))))
            #expect(stage.frame == opened)
        }
        stage.send(.news(.preparing(StoreProgress(.indexing, share: 1))))
        #expect(stage.frame == opened)
        stage.passTime()
        #expect(stage.frame == opened)
    }

    @Test(arguments: [40, 60, 72, 100, 200])
    func `An index that takes long is reported in the title, and the hints stay`(columns: Int) {
        var stage = Stage.open(Script.long(30), at: nil, columns: columns, rows: 12, me: PersonID("ana"))
        let opened = stage.rows
        stage.send(.news(.preparing(StoreProgress(.indexing, share: 0.1))))
        stage.passTime()
        stage.send(.news(.preparing(StoreProgress(.indexing, share: 0.42))))
        #expect(stage.rows.dropFirst() == opened.dropFirst())
        if columns >= 72 { #expect(stage.rows[0].contains("indexing 42%"), "\(stage.rows[0])") }
        stage.send(.news(.preparing(StoreProgress(.indexing, share: 1))))
        #expect(stage.rows == opened)
    }
}
