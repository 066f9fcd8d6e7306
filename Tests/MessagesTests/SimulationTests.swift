import Testing

@testable import Messages

struct SimulationTests {
    @Test func `The parts of a simulation come in any order`() throws {
        let simulation = try Simulation(parsing: "seed:7,failures:0.2,latency:250ms,after:1")
        #expect(simulation.latency == .milliseconds(250))
        #expect(simulation.failures == 0.2)
        #expect(simulation.after == 1)
        #expect(simulation.seed == 7)
        #expect(try Simulation(parsing: "latency:2s").latency == .seconds(2))
    }

    @Test(arguments: [
        "latency:250", "latency:-1ms", "latency:s", "failures:2", "failures:x", "after:-1", "seed", "speed:9",
    ])
    func `An unknown part of a simulation is named`(text: String) {
        let error = #expect(throws: StoreError.self) { try Simulation(parsing: text) }
        #expect(error?.description.hasPrefix("KEDGE_SIMULATE does not know \"\(text)\"; it takes ") == true)
    }

    @Test func `A seed always fails the same requests, about the requested share, and none too early`() {
        var simulation = Simulation()
        simulation.failures = 0.2
        simulation.after = 100
        simulation.seed = 7
        let failed = (0..<10_000).filter(simulation.fails)
        #expect((1_800...2_200).contains(failed.count))
        #expect(failed.allSatisfy { $0 >= 100 })
        #expect(failed == (0..<10_000).filter(simulation.fails))
        simulation.seed = 8
        #expect(failed != (0..<10_000).filter(simulation.fails))
        simulation.failures = 1
        #expect(simulation.fails(request: 100))
        simulation.failures = 0
        #expect(!simulation.fails(request: 100))
    }
}
