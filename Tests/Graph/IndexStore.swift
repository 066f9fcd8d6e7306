/// The symbols that each source file declares and uses, as the compiler has noted them in its index store.
struct IndexStore {
    /// A use or a declaration of a symbol: a type, a function, a property, a case.
    struct Occurrence {
        /// The compiler's identifier of the symbol, unique among all modules.
        let symbol: String
        let name: String
        let isDeclaration: Bool
    }

    private static let declarationRoles: UInt64 = 1 << 0 | 1 << 1
    private static let implicitRole: UInt64 = 1 << 8
    private static let recordKind: CInt = 2

    private let store: UnsafeMutableRawPointer

    /// - Throws: `Unreadable` if there is no index store at the path.
    init(path: String) throws(Unreadable) {
        guard let store = indexstore_store_create(path, nil) else { throw Unreadable(path: path) }
        self.store = store
    }

    struct Unreadable: Error {
        let path: String
    }

    /// The names of the records of each source file, by the file's path. A file has several where it is compiled more than once, or
    /// has been compiled before; the newest is not marked, so the caller takes those whose file exists.
    func records() -> [String: Set<String>] {
        final class Found {
            let store: UnsafeMutableRawPointer
            var records: [String: Set<String>] = [:]
            init(_ store: UnsafeMutableRawPointer) { self.store = store }
        }
        let found = Found(store)
        _ = indexstore_store_units_apply_f(store, 0, Unmanaged.passUnretained(found).toOpaque()) { context, name in
            guard let context else { return false }
            let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
            guard let unit = indexstore_unit_reader_create(found.store, name.text, nil) else { return true }
            defer { indexstore_unit_reader_dispose(unit) }
            _ = indexstore_unit_reader_dependencies_apply_f(unit, context) { context, dependency in
                guard let context, indexstore_unit_dependency_get_kind(dependency) == IndexStore.recordKind else {
                    return true
                }
                let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
                let path = indexstore_unit_dependency_get_filepath(dependency).text
                found.records[path, default: []].insert(indexstore_unit_dependency_get_name(dependency).text)
                return true
            }
            return true
        }
        return found.records
    }

    /// All that a record holds, without what the compiler has added itself.
    func occurrences(of record: String) -> [Occurrence] {
        guard let reader = indexstore_record_reader_create(store, record, nil) else { return [] }
        defer { indexstore_record_reader_dispose(reader) }
        final class Found { var occurrences: [Occurrence] = [] }
        let found = Found()
        _ = indexstore_record_reader_occurrences_apply_f(reader, Unmanaged.passUnretained(found).toOpaque()) {
            context, occurrence in
            guard let context, let symbol = indexstore_occurrence_get_symbol(occurrence) else { return true }
            let roles = indexstore_occurrence_get_roles(occurrence)
            if roles & IndexStore.implicitRole != 0 { return true }
            Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().occurrences.append(
                Occurrence(
                    symbol: indexstore_symbol_get_usr(symbol).text, name: indexstore_symbol_get_name(symbol).text,
                    isDeclaration: roles & IndexStore.declarationRoles != 0))
            return true
        }
        return found.occurrences
    }
}

extension IndexText {
    fileprivate var text: String {
        String(decoding: UnsafeRawBufferPointer(start: data, count: length), as: UTF8.self)
    }
}
