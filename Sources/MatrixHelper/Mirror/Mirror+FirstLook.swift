internal import Formats
internal import Matrix

extension Mirror {
    /// Takes the response to a request of the first look.
    func take(_ result: Result<HTTPResponse, HTTPFailure>, of look: FirstLook) throws(MirrorEnd) {
        switch result {
        case .failure(let failure): try follow(failure)
        case .success(let response) where response.status == 200:
            guard try take(response.body, look) else {
                return try follow(retry.failed(jitter: pace.jitter()), "a response that cannot be read")
            }
            retry.succeeded()
            isTroubled = false
        case .success(let response):
            let error = response.error
            let step = retry.failed(error, hasToken: true, jitter: pace.jitter())
            switch step {
            case .pause where !error.isOfUnknownRequest:
                try follow(step, error.text.isEmpty ? "status \(error.status)" : error.text)
            case .loggedOut(let isSoft): try awaitLogin(.loggedOut(isSoft: isSoft))
            case .pause, .restart, .giveUp: try lookAgain(look)
            }
        }
    }

    /// Without sliding sync, the first response of /sync has all rooms.
    private func lookAgain(_ look: FirstLook) throws(MirrorEnd) {
        var look = look
        if look.forget() {
            firstLook = look
        } else {
            firstLook = nil
            try disk { () throws(DiskFailure) in try archive.state.forgetFirst() }
        }
        ask()
    }

    /// - Returns: false if the response cannot be read.
    private func take(_ body: ResponseBody, _ look: FirstLook) throws(MirrorEnd) -> Bool {
        var look = look
        do throws(DiskFailure) {
            guard look.token != nil else {
                guard let token = body.withUnsafeBytes({ reader.readToken($0) }) else { return false }
                try archive.state.begin(with: token)
                look.token = token
                firstLook = look
                ask()
                return true
            }
            let listed = archive.listChanges
            let last = try body.withUnsafeBytes { (bytes) throws(DiskFailure) in
                try reader.readSliding(bytes, passed: body.release) { (page) throws(DiskFailure) in
                    try archive.take(page)
                    note(page.rooms)
                    take(page.receipts)
                }
            }
            guard let page = last else { return false }
            noteList(since: listed)
            guard look.take(page), let token = look.token else {
                firstLook = look
                ask()
                return true
            }
            try archive.state.commit(token, isFirst: true)
            firstLook = nil
            since = token
            try filler.collect()
        } catch {
            try reopen(error)
            return true
        }
        proceed(isCurrent: false)
        fill()
        return true
    }
}
