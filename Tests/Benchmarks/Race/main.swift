import Foundation

// Kedge beside less, lnav and WeeChat, on the same messages in one run:
//
//     make race                            all races, with a million messages
//     make race N=10000 ONLY="h i" RUNS=9  some of them
//     make race PLOT=1                     memory and the time of a page from 1,000 messages to 10,000,000
//
// Programs run in a pseudo terminal of 100x30 whose output is read as fast as it comes and drawn into a screen, so that
// a race waits for what a user sees. Times are from the start of a program, or from a key, until the bytes have come
// that show the result. All files have been read once before. Figures of two machines cannot be compared; the ratios
// can.

setlocale(LC_ALL, "C.UTF-8")
signal(SIGPIPE, SIG_IGN)
do {
    let settings = try Settings(Array(CommandLine.arguments.dropFirst()))
    show(Machine.line)
    if let largest = settings.plot {
        try Plot(settings, largest: largest).run()
        exit(0)
    }
    let corpus = try Corpus(size: settings.size, folder: settings.folder)
    show(
        "\(corpus.size) messages, \(corpus.count) of them in general; terminal of 100x30; median of \(settings.runs) runs"
    )
    try corpus.warm()
    let bench = try Bench(settings, corpus)
    var failed = false
    for race in Race.all where settings.only?.contains(race.letter) ?? true {
        do {
            try race.run(bench)
        } catch {
            show("\nrace \(race.letter) could not be run: \(error)")
            failed = true
        }
    }
    exit(failed ? 1 : 0)
} catch {
    FileHandle.standardError.write(Data("race: \(error)\n".utf8))
    exit(1)
}
