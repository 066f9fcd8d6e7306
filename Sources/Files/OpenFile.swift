package import Glibc
internal import SystemPackage

/// Owns the descriptor of a file or a folder, which is closed with this value.
package struct OpenFile: ~Copyable, Sendable {
    package let path: String
    private let file: FileDescriptor
    private let action: FileError.Action
    /// The status when it was opened, if it was opened as a regular file; else nil.
    private let first: FileStatus?

    /// Opens a regular file. Never blocks on a pipe or a device.
    /// - Parameter follows: true if its last name may be a symbolic link.
    package init(reading path: String, follows: Bool = true) throws(FileError) {
        try self.init(path, .readOnly, follows ? [] : .noFollow, isRegular: true)
    }

    /// Opens a regular file, which is not a link, to add to its end.
    package init(appendingTo path: String) throws(FileError) {
        try self.init(path, .writeOnly, [.append, .noFollow], isRegular: true)
    }

    /// Creates a file, to add to its end.
    /// - Throws: also when something exists at the path.
    package init(creating path: String, permissions: mode_t = 0o600) throws(FileError) {
        try self.init(path, .writeOnly, [.append, .create, .exclusiveCreate, .noFollow], permissions)
    }

    /// Opens a folder.
    package init(folder path: String, follows: Bool = true) throws(FileError) {
        try self.init(path, .readOnly, follows ? [.directory] : [.directory, .noFollow])
    }

    /// Creates a file for a lock, unless it exists, closes it to others, and waits for the lock.
    package static func locked(_ path: String, _ patience: LockPatience) throws(FileError) -> OpenFile {
        let file = try OpenFile(path, .readWrite, [.create, .noFollow], 0o600)
        // The lock files of earlier versions may be open to others, who could then hold the lock.
        try? file.closeToOthers()
        try file.lock(patience)
        return file
    }

    private init(
        _ path: String, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        _ permissions: mode_t? = nil, isRegular: Bool = false
    ) throws(FileError) {
        let action: FileError.Action = mode == .readOnly ? .read : .write
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path, mode, options: options.union([.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)]),
                permissions: permissions.map { FilePermissions(rawValue: $0) })
        } catch {
            let code = (error as? Errno)?.rawValue ?? EIO
            // A socket, or a pipe that nobody reads, cannot be opened.
            throw FileError(action, path, code == ENXIO ? .irregular : .system(code))
        }
        let first = isRegular ? (try? Stat(file)).map(FileStatus.init) : nil
        if isRegular, first?.isFile != true {
            try? file.close()
            throw FileError(action, path, .irregular)
        }
        (self.file, self.path, self.action, self.first) = (file, path, action, first)
    }

    /// Opens a file in an open folder, even if the folder was renamed. Never follows a link.
    private init(_ name: String, in folder: borrowing OpenFile, _ flags: CInt, _ mode: mode_t) throws(FileError) {
        let action: FileError.Action = flags & O_ACCMODE == O_RDONLY ? .read : .write
        let path = folder.path + "/" + name
        let number = openat(folder.file.rawValue, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)
        guard number >= 0 else { throw FileError(action, path, code: errno) }
        (file, self.path, self.action, first) = (FileDescriptor(rawValue: number), path, action, nil)
    }

    deinit { try? file.close() }

    /// The number of the descriptor, for calls in C and for child processes. Valid only while this value lives: see
    /// `withExtendedLifetime`.
    package var descriptor: CInt { file.rawValue }

    /// The status when the file was opened, which costs nothing if it was opened as a regular file.
    package func firstStatus() throws(FileError) -> FileStatus { if let first { first } else { try status() } }

    /// The status now.
    package func status() throws(FileError) -> FileStatus {
        do throws(Errno) { return FileStatus(try Stat(file)) } catch {
            throw FileError(action, path, code: error.rawValue)
        }
    }
}

// MARK: - Reading

extension OpenFile {
    /// Fills the buffer.
    /// - Throws: `shorter` if the file ends before.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) {
        let count = try fill(buffer, at: offset, atLeast: buffer.count)
        guard count == buffer.count else { throw FileError(.read, path, .shorter) }
    }

    /// At most `count` bytes from `offset` on: fewer where the file ends.
    package func bytes(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try bytes(at: offset, atLeast: count, atMost: count)
    }

    private func bytes(at offset: Int64, atLeast least: Int, atMost count: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileError) {
                filled = try fill(UnsafeMutableRawBufferPointer(buffer), at: offset, atLeast: least)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// All bytes.
    /// - Throws: `tooLarge` for more than `limit` bytes, even if the file grows meanwhile.
    package func bytes(limit: Int64) throws(FileError) -> [UInt8] {
        let size = try firstStatus().size
        guard size <= limit else { throw FileError(.read, path, .tooLarge(limit)) }
        // One byte more shows whether the file has grown. The files that the system generates have size 0.
        var all =
            size == 0 ? try bytes(at: 0, count: 16_384) : try bytes(at: 0, atLeast: Int(size), atMost: Int(size) + 1)
        while all.count > size {
            let more = try bytes(at: Int64(all.count), count: 16_384)
            guard !more.isEmpty else { break }
            all += more
            guard all.count <= limit else { throw FileError(.read, path, .tooLarge(limit)) }
        }
        return all
    }

    /// Reads into the buffer until it has at least some number of bytes, or the file ends.
    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, atLeast least: Int
    ) throws(FileError) -> Int {
        try FileError.about(.read, path) {
            var done = 0
            while done < least {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = try file.read(fromAbsoluteOffset: offset + Int64(done), into: rest)
                if count == 0 { break }
                done += count
            }
            return done
        }
    }
}

// MARK: - Writing

extension OpenFile {
    /// Writes all bytes to the end.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try FileError.about(.write, path) { _ = try file.writeAll(bytes) }
    }

    package func write(_ bytes: [UInt8]) throws(FileError) {
        try FileError.about(.write, path) { _ = try file.writeAll(bytes) }
    }

    /// Appends all bytes with one write, or none of them: a partial write is cut off again.
    /// - Parameter isSynced: true if the disk has the bytes when this returns.
    package func append(_ bytes: [UInt8], isSynced: Bool) throws(FileError) {
        let size = try status().size
        do throws(FileError) {
            let count = try FileError.about(.write, path) { try bytes.withUnsafeBytes { try file.write($0) } }
            guard count == bytes.count else { throw FileError(.write, path, .incomplete(count, of: bytes.count)) }
            if isSynced { try sync() }
        } catch {
            // After a failed fsync the bytes must go too: a later fsync would report success although they never reached
            // the disk.
            try? cut(to: size)
            throw error
        }
    }

    /// Shortens the file to this size, in bytes.
    package func cut(to size: Int64) throws(FileError) {
        try FileError.about(.write, path) { try file.resize(to: size) }
    }

    /// Waits until the disk has the whole content.
    package func sync() throws(FileError) {
        guard fsync(file.rawValue) == 0 else { throw FileError(.write, path, code: errno) }
    }

    /// Waits until the disk has the names of the files in a folder.
    package func syncNames() throws(FileError) {
        // Some foreign file systems cannot sync a folder and return EINVAL.
        guard fsync(file.rawValue) == 0 || errno == EINVAL else { throw FileError(.write, path, code: errno) }
    }

    /// Waits until the lock is free, and takes it. The lock ends with this value.
    package func lock(_ patience: LockPatience) throws(FileError) {
        try FileError.about(.write, path) { try FileLock.take(file.rawValue, path, patience) }
    }

    package func setPermissions(_ mode: mode_t) { fchmod(file.rawValue, mode) }

    /// Removes all permissions of others.
    /// - Throws: `foreign` for a file or folder of another user, where private files must not be.
    package func closeToOthers() throws(FileError) {
        let status = try firstStatus()
        guard status.isOwn else { throw FileError(action, path, .foreign) }
        // A folder that is shared on purpose, such as /tmp, keeps its permissions.
        guard status.permissions & 0o077 != 0, !status.isShared else { return }
        // This fails on a file system without permissions, where there is nothing to remove.
        setPermissions(status.permissions & 0o700)
    }
}

// MARK: - In a folder

extension OpenFile {
    /// Opens a folder in this one.
    package func folder(_ name: String) throws(FileError) -> OpenFile {
        try OpenFile(name, in: self, O_RDONLY | O_DIRECTORY, 0)
    }

    /// Opens a file of this folder, to add to its end.
    package func appending(to name: String) throws(FileError) -> OpenFile {
        try OpenFile(name, in: self, O_WRONLY | O_APPEND, 0)
    }

    /// Creates a file in this folder, to add to its end.
    package func creating(_ name: String, permissions: mode_t) throws(FileError) -> OpenFile {
        try OpenFile(name, in: self, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, permissions)
    }

    /// Removes a file of this folder.
    package func remove(_ name: String) { unlinkat(file.rawValue, name, 0) }

    /// The status of a file, folder or link in this folder. Follows no link.
    package func status(of name: String) throws(FileError) -> FileStatus {
        do throws(Errno) {
            return FileStatus(try Stat(name, relativeTo: file, flags: .symlinkNoFollow))
        } catch {
            throw FileError(.read, path + "/" + name, code: error.rawValue)
        }
    }
}
