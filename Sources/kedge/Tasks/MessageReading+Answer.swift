import Messages

extension MessageReading {
    func answer(_ request: PageRequest) async -> Result<Page, StoreError> {
        do throws(StoreError) {
            return .success(try await page(request))
        } catch {
            return .failure(error)
        }
    }
}
