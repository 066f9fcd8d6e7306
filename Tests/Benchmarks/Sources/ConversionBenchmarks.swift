import Benchmark

/// The cost of turning exports into native records. 1 MB in 6.6 ms is 150 MB/s.
enum ConversionBenchmarks {
    static var suites: [BenchmarkSuite] {
        [
            suite("convert WeeChat, MB:", Conversion.ofWeeChat, head: "", tail: "") { number in
                "2026-03-\(two(1 + number / 86_400 % 28)) \(clock(number))\tana\t\(words) \(number)\n"
            },
            suite(
                "convert Telegram, MB:", Conversion.ofTelegram,
                head: "{\n \"name\": \"A\",\n \"type\": \"private_group\",\n \"id\": 7,\n \"messages\": [\n",
                tail: "\n ]\n}"
            ) { number in
                (number == 0 ? "" : ",\n")
                    + """
                      {
                       "id": \(number + 1),
                       "type": "message",
                       "date": "2026-03-01T\(clock(number))",
                       "date_unixtime": "\(1_772_000_000 + number)",
                       "from": "Ana",
                       "from_id": "user\(number % 40)",
                       "text": "\(words)",
                       "text_entities": [
                        {
                         "type": "plain",
                         "text": "\(words)"
                        }
                       ]
                      }
                    """
            },
        ]
    }

    private static let words =
        "The tide comes in at half past nine; whoever wants to sail should be at the berth by then."

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func clock(_ number: Int) -> String {
        "\(two(number / 3_600 % 24)):\(two(number / 60 % 60)):\(two(number % 60))"
    }

    private static func suite(
        _ name: String, _ make: ([UInt8]) -> Conversion?, head: String, tail: String, _ record: (Int) -> String
    ) -> BenchmarkSuite {
        let suite = BenchmarkSuite(name: name)
        for megabytes in [1, 16] {
            var (text, number) = (Array(head.utf8), 0)
            while text.count < megabytes * 1_000_000 {
                text += Array(record(number).utf8)
                number += 1
            }
            text += Array(tail.utf8)
            guard let conversion = make(text) else { continue }
            suite.benchmark("\(megabytes)") { conversion.run() }
        }
        return suite
    }
}
