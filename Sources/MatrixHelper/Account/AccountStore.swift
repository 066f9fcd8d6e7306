internal import Formats
internal import Glibc
package import Settings

/// The accounts of this user: a file for each, which nobody else can read.
package struct AccountStore: Sendable {
    private let folder: String
    private let data: String

    /// Nil without a home.
    package init?(_ folders: Folders) {
        guard let state = folders.state, let data = folders.data else { return nil }
        folder = state + "/matrix"
        self.data = data + "/matrix"
    }

    /// Where the archive of a new account is made.
    package func archive(of user: String) -> String { data + "/" + AccountStore.name(user) }

    /// All accounts, by the bytes of their IDs, and the paths of files that hold none.
    package func all() throws(DiskFailure) -> (accounts: [Account], broken: [String]) {
        var accounts: [Account] = []
        var broken: [String] = []
        for name in try DiskFile.names(in: folder).sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
            let path = folder + "/" + name
            if let account = try DiskFile.read(path, longest: 1 << 20).flatMap({ Account(file: $0) }) {
                accounts.append(account)
            } else {
                broken.append(path)
            }
        }
        return (accounts, broken)
    }

    package func keep(_ account: Account) throws(DiskFailure) {
        try make(folder)
        try DiskFile.replace(path(of: account.user), with: [account.file], mode: 0o600)
    }

    /// Forgets an account. Its archive stays.
    package func forget(_ user: String) throws(DiskFailure) {
        guard unlink(path(of: user)) == 0 || errno == ENOENT else {
            throw DiskFailure(path(of: user), code: errno)
        }
        try DiskFile.syncNames(of: folder)
    }

    /// Makes the folder in which an archive is to be.
    package func makeFolder(of archive: String) throws(DiskFailure) {
        guard let slash = archive.lastIndex(of: "/") else { return }
        try make(String(archive[..<slash]))
    }

    private func make(_ folder: String) throws(DiskFailure) {
        do {
            try PrivateFolder.make(folder)
        } catch {
            throw DiskFailure(error.path, code: error.code)
        }
    }

    private func path(of user: String) -> String { "\(folder)/\(AccountStore.name(user)).json" }

    /// No file system takes a name of more than 255 bytes, and others are made of this one.
    private static let longestName = 200

    /// An ID as the name of a file: it may hold slashes. One that is too long is cut, and ends with a number of its own.
    private static func name(_ user: String) -> String {
        let name = user.replacing("%", with: "%25").replacing("/", with: "%2F")
        guard name.utf8.count > longestName else { return name }
        let number = String(Array(user.utf8).withUnsafeBytes { Fingerprint.of($0) }, radix: 16)
        var start = name.unicodeScalars.prefix(longestName - number.utf8.count - 1)
        while String(start).utf8.count + number.utf8.count + 1 > longestName { start.removeLast() }
        return "\(String(start))~\(number)"
    }
}
