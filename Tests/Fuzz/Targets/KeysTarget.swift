/// A user at a terminal who presses keys while messages come in and the store is slow.
package enum KeysTarget {
    package static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let script = KeyScript(bytes)
        var stage = FuzzStage(columns: script.columns, rows: script.rows)
        try stage.check()
        for step in script.steps {
            switch step {
            case .typed(let bytes): stage.type(bytes)
            case .happening(let happening, let argument): stage.happen(happening, Int(argument))
            }
            try stage.check()
        }
    }
}
