/// The words by which WhatsApp tells of deleted and edited messages and of files, in the languages of its users.
enum WhatsAppWords {
    /// Whether the whole text of a message says that it was deleted.
    static func isDeletion(_ text: Bytes) -> Bool {
        guard text.count < 120 else { return false }
        let end = text.last == UInt8(ascii: ".") ? text.count - 1 : text.count
        let text = Bytes(rebasing: text[..<end])
        return deletions.contains { text == $0 }
    }

    /// The text before `<This message was edited>`; nil for a message that was not edited.
    static func beforeEdit(_ text: Bytes) -> Bytes? {
        guard text.last == UInt8(ascii: ">"), let start = text.lastIndex(of: UInt8(ascii: "<")) else { return nil }
        var end = text.count - 1
        if text[end - 1] == UInt8(ascii: ".") { end -= 1 }
        guard start + 1 < end else { return nil }
        let words = Bytes(rebasing: text[(start + 1)..<end])
        guard edits.contains(where: { words == $0 }) else { return nil }
        var before = start
        while before > 0, text[before - 1] == 32 || text[before - 1] == 10 { before -= 1 }
        if before >= 3, Bytes(rebasing: text[(before - 3)..<before]).withoutMarks.isEmpty { before -= 3 }
        while before > 0, text[before - 1] == 32 { before -= 1 }
        return Bytes(rebasing: text[..<before])
    }

    /// The name of a file that a message holds, and the text without it: `<attached: a.jpg>`, `a.jpg (file attached)`.
    static func file(in text: Bytes) -> (name: Bytes, rest: Bytes)? {
        let line = Bytes(rebasing: text[..<text.lineLength]).withoutReturn
        if let found = named(line) { return (found, Bytes(rebasing: text[min(text.count, text.lineLength + 1)...])) }
        // On iPhones the caption stands before it.
        guard text.last == UInt8(ascii: ">"), let start = text.lastIndex(of: UInt8(ascii: "<")),
            let colon = text[start...].firstIndex(of: UInt8(ascii: ":")),
            let name = trimmed(Bytes(rebasing: text[(colon + 1)..<(text.count - 1)])), hasKind(name)
        else { return nil }
        let word = Bytes(rebasing: text[(start + 1)..<colon])
        guard word.count < 40, !word.contains(10) else { return nil }
        var end = start
        while end >= 3, Bytes(rebasing: text[(end - 3)..<end]).withoutMarks.isEmpty { end -= 3 }
        while end > 0, text[end - 1] == 32 || text[end - 1] == 10 || text[end - 1] == 13 { end -= 1 }
        return (name, Bytes(rebasing: text[..<end]))
    }

    /// `IMG-20221231-WA0001.jpg (file attached)`: known words, or the name that WhatsApp itself gives to files.
    private static func named(_ line: Bytes) -> Bytes? {
        guard line.last == UInt8(ascii: ")"), let start = line.lastIndex(of: UInt8(ascii: "(")), start > 4,
            line[start - 1] == 32
        else { return nil }
        let name = Bytes(rebasing: line[..<(start - 1)])
        let words = Bytes(rebasing: line[(start + 1)..<(line.count - 1)])
        guard name.count < 256 else { return nil }
        let isOurs =
            name.count > 12 && !name.contains(32)
            && name.indices.contains { at in
                at + 2 < name.count && name[at] == 0x2D && name[at + 1] == UInt8(ascii: "W")
                    && name[at + 2] == UInt8(ascii: "A")
            }
        let isKnown = files.contains { words == $0 }
        return hasKind(name) ? (isOurs || isKnown ? name : nil) : (isOurs && isKnown ? name : nil)
    }

    private static func trimmed(_ name: Bytes) -> Bytes? {
        let found = name[...].trimmed
        return found.isEmpty ? nil : found
    }

    /// Whether a name ends with a kind of file: `.jpg`
    private static func hasKind(_ name: Bytes) -> Bool {
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0, name.count - point > 1,
            name.count - point < 7
        else { return false }
        return name[(point + 1)...].allSatisfy { $0 &- 48 < 10 || ($0 | 0x20) &- 0x61 < 26 }
    }

    private static let deletions: [StaticString] = [
        "This message was deleted", "You deleted this message", "Diese Nachricht wurde gelöscht",
        "Du hast diese Nachricht gelöscht", "Se eliminó este mensaje", "Eliminaste este mensaje",
        "Este mensaje fue eliminado",
        "Este mensaje se eliminó", "Ce message a été supprimé", "Vous avez supprimé ce message",
        "Questo messaggio è stato eliminato", "Hai eliminato questo messaggio", "Esta mensagem foi apagada",
        "Você apagou esta mensagem", "Mensagem apagada", "Dit bericht is verwijderd", "U hebt dit bericht verwijderd",
        "Ta wiadomość została usunięta", "Usunięto tę wiadomość", "Данное сообщение удалено",
        "Вы удалили данное сообщение",
        "Tato zpráva byla odstraněna", "Tuto zprávu jste odstranil/a", "Bu mesaj silindi", "Bu mesajı sildiniz",
        "このメッセージは削除されました",
    ]
    private static let edits: [StaticString] = [
        "This message was edited", "Diese Nachricht wurde bearbeitet", "Se editó este mensaje", "Este mensaje se editó",
        "Ce message a été modifié", "Questo messaggio è stato modificato", "Mensagem editada",
        "Esta mensagem foi editada",
        "Dit bericht is bewerkt", "Wiadomość edytowana", "Данное сообщение изменено", "Bu mesaj düzenlendi",
    ]
    private static let files: [StaticString] = [
        "file attached", "Datei angehängt", "archivo adjunto", "fichier joint", "file allegato", "arquivo anexado",
        "ficheiro anexado", "bestand bijgevoegd", "plik dołączony", "файл добавлен", "dosya ekli",
        "soubor byl přiložen", "添付ファイル",
    ]
}
