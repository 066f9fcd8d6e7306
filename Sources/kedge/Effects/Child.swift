import Glibc

/// The reason why a program was not started: an error number of the system.
struct ChildFailure: Error, Equatable {
    let code: Int32
}

/// Starts other programs: by a list of arguments, never through a shell.
enum Child {
    /// glibc's POSIX_SPAWN_SETSID, which Swift does not see.
    private static let ownSession: Int32 = 0x80

    /// Starts a program that gets nothing but its input. It has a process group of its own, since ^Z stops the whole group of
    /// Kedge, and receives all signals, which a `SerialThread` blocks.
    /// - Parameters:
    ///   - program: a path, or a name to be found by PATH.
    ///   - input: a descriptor to read from; nil for an empty input.
    ///   - seesTerminal: whether it may find out about the terminal of Kedge.
    ///   - output: a descriptor for its output, which is thrown away without one.
    static func start(
        _ program: String, _ arguments: [String], environment: [String], reading input: Int32? = nil,
        writing output: Int32? = nil, seesTerminal: Bool = true
    ) throws(ChildFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        // A session of its own has no terminal, and is a group of its own, too.
        let group = seesTerminal ? POSIX_SPAWN_SETPGROUP : Child.ownSession
        return try spawn(program, arguments, environment, actions: &actions, flags: group)
    }

    /// Starts a program that has the terminal, in the process group of Kedge, so that ^Z stops both. It gets all signals as if
    /// Kedge had none of them in use.
    static func startOnTerminal(
        _ program: String, _ arguments: [String], environment: [String]
    ) throws(ChildFailure) -> pid_t {
        try spawn(program, arguments, environment, actions: nil, flags: POSIX_SPAWN_SETSIGDEF)
    }

    /// Starts a program that no signal is blocked in. With `POSIX_SPAWN_SETSIGDEF` among the flags it also handles all of them in
    /// their own ways.
    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String],
        actions: UnsafePointer<posix_spawn_file_actions_t>?, flags: Int32
    ) throws(ChildFailure) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags | POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let code = withStrings([program] + arguments) { words in
            withStrings(environment) { posix_spawnp(&process, program, actions, &attributes, words, $0) }
        }
        guard code == 0 else { throw ChildFailure(code: code) }
        return process
    }

    /// Waits until the program ends.
    /// - Returns: the status of `waitpid`: 0 when the program succeeded.
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func withStrings<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(copies)
    }
}
