internal import SystemPackage
internal import Glibc

/// An error of reading, writing or locking a file or a folder: the path, the action, and the cause.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Action: Hashable, Sendable { case read, write }

    package enum Cause: Hashable, Sendable {
        /// An error number of the system.
        case system(CInt)
        /// A folder, a device, a pipe or a socket in the place of a file.
        case irregular
        /// The file has more bytes than this number.
        case tooLarge(Int64)
        /// The file became shorter while it was read.
        case shorter
        /// Another user owns the file.
        case foreign
        /// A symbolic link, through which nothing is read or written.
        case link
        /// The file has a second name (a hard link): a write would change the file of that name too.
        case secondName
        /// A path that was given from outside leads out of its folder.
        case outside
        /// Only some of the bytes fitted.
        case incomplete(Int, of: Int)
        /// Another process holds the lock; nil when that process is not known.
        case held(LockHolder?)
        /// The file does not have the form in which Kedge writes it.
        case damaged
        /// A later version of Kedge has written the file.
        case newer
        /// The conversation has used all numbers for its segments.
        case full
        /// The folder of the file is unknown, because HOME is not set.
        case homeless
    }

    package let action: Action
    package let path: String
    package let cause: Cause

    package init(_ action: Action, _ path: String, _ cause: Cause) {
        (self.action, self.path, self.cause) = (action, path, cause)
    }

    package init(_ action: Action, _ path: String, code: CInt) { self.init(action, path, .system(code)) }

    /// The error number of the system; the nearest one for another cause.
    package var code: CInt {
        switch cause {
        case .system(let code): code
        case .irregular, .damaged, .newer: EINVAL
        case .homeless: ENOENT
        case .tooLarge, .full: EFBIG
        case .shorter: EIO
        case .foreign: EPERM
        case .link, .secondName, .outside: ELOOP
        case .incomplete: ENOSPC
        case .held: EWOULDBLOCK
        }
    }

    /// The system's words for the error.
    package var reason: String { Errno(rawValue: code).description }

    /// The reason why the system refuses a file that Kedge makes for itself, such as one of the index, with a remedy where there is one.
    package static func reason(forOwnFile code: CInt) -> String {
        switch code {
        case ENOSPC, EDQUOT: "the disk is full; make room"
        case EFBIG: "`ulimit -f` allows no larger file"
        case EACCES, EPERM, EROFS: "permission denied; check its permissions"
        case EMFILE, ENFILE: "too many files are open"
        default: String(cString: strerror(code))
        }
    }

    /// True if nothing exists at the path.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG }

    /// True if the cause would also stop the writing of every other file, until it is removed.
    package var stopsAll: Bool {
        switch cause {
        case .system(let code): [ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE, ENOMEM, EFBIG, ESTALE].contains(code)
        case .incomplete: true
        default: false
        }
    }

    package var description: String { text() }

    /// One line for people: the path, the cause, a remedy.
    /// - Parameter retry: what to do when nothing better is known.
    package func text(retry: String = "try again") -> String { "\(path): \(phrase(retry))" }

    private func phrase(_ retry: String) -> String {
        let verb = action == .read ? "read" : "written"
        switch cause {
        case .irregular: return "not a regular file; move it away"
        case .tooLarge(let limit): return "larger than \(limit >> 20) MiB; make it smaller"
        case .shorter: return "became shorter while it was read; \(retry)"
        case .foreign: return "belongs to another user"
        case .link: return "is a symbolic link, which Kedge does not follow; put the original in its place"
        case .secondName:
            return "has a second name (a hard link), under which it would change too; put a copy in its place"
        case .outside: return "leads out of its folder"
        case .incomplete(let count, let all):
            return "only \(count) of \(all) bytes could be written; make room on the disk and \(retry)"
        case .held(let holder): return "is locked by \(LockHolder.describe(holder))"
        case .damaged: return "is damaged"
        case .newer: return "was written by a later version of Kedge; update this one"
        case .full: return "has used all numbers for its segments"
        case .homeless: return "its folder is unknown; set HOME"
        case .system(EACCES), .system(EPERM):
            return "may not be \(verb) (permission denied); check its permissions"
        case .system(ENOENT) where action == .read: return "vanished while it was read; \(retry)"
        case .system(EROFS): return "is on a read-only file system; write to a copy of the archive"
        case .system(ENOSPC), .system(EDQUOT), .system(EFBIG):
            return "no disk space (\(reason)); free some and \(retry)"
        case .system(EEXIST): return "is in the place of the next file; move it away and \(retry)"
        case .system: return "cannot be \(verb) (\(reason)); \(retry)"
        }
    }

    /// Runs a system call, and throws its error as one about the path.
    static func about<Result: ~Copyable>(
        _ action: Action, _ path: String, _ body: () throws -> Result
    ) throws(FileError) -> Result {
        do {
            return try body()
        } catch let error as Errno {
            throw FileError(action, path, code: error.rawValue)
        } catch {
            throw error as? FileError ?? FileError(action, path, code: EIO)
        }
    }
}
