internal import JSON
/// WhatsApp's words about deleted and edited messages, files and the chat, in the languages of its users.
enum WhatsAppWords {
    /// True if WhatsApp's words after a name are about the chat: `Ana added Ben`, and not `image omitted`. In all languages they
    /// contain the name of the person who acted; other words are in a list.
    static func isNotice(_ text: Bytes, by author: Bytes) -> Bool {
        let line = Bytes(rebasing: text[..<min(text.lineLength, 400)]).withoutReturn
        if line.hasWord(author) || notices.contains(where: { line.starts(with: $0) }) { return true }
        return encryptions.contains { line.offset(of: $0) != nil }
    }

    /// True if a message, or the text that replaces it, contains WhatsApp's words in a language other than English.
    static func areForeign(_ message: Bytes) -> Bool {
        let text = Bytes(rebasing: message[..<min(message.lineLength, 400)]).withoutReturn
        guard let last = text.last else { return false }
        let isEnd = last == UInt8(ascii: ">") || last == UInt8(ascii: ")") || last == UInt8(ascii: ".")
        if isEnd || text.offset(of: "\u{200E}") != nil || text.offset(of: ": ") == nil {
            if encryptions.dropFirst().contains(where: { text.offset(of: $0) != nil }) { return true }
        }
        return omissions.contains { text.ends(with: $0) }
            || deletions.dropFirst(2).contains { text.ends(with: $0) }
            || files.dropFirst().contains { text.count > $0.utf8CodeUnitCount && text.ends(with: $0, before: ")") }
    }

    /// True if the text says that the message was deleted, and nothing else.
    static func isDeletion(_ text: Bytes) -> Bool {
        guard text.count < 120 else { return false }
        let stop = stops.first { text.ends(with: $0) }?.utf8CodeUnitCount ?? 0
        let text = Bytes(rebasing: text[..<(text.count - stop)])
        return deletions.contains { text == $0 }
    }

    /// The text before `<This message was edited>`; nil if the message was not edited.
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

    /// The name of a message's file, and the text without it: `<attached: a.jpg>`, `a.jpg (file attached)`.
    static func file(in text: Bytes) -> (name: Bytes, rest: Bytes)? {
        let line = Bytes(rebasing: text[..<text.lineLength]).withoutReturn
        if let found = named(line) { return (found, Bytes(rebasing: text[min(text.count, text.lineLength + 1)...])) }
        // On iPhones, the caption comes before the file.
        guard text.last == UInt8(ascii: ">"), let start = text.lastIndex(of: UInt8(ascii: "<")),
            let colon = text[start...].firstIndex(of: UInt8(ascii: ":")),
            case let name = text[(colon + 1)..<(text.count - 1)].trimmed, hasKind(name)
        else { return nil }
        let word = Bytes(rebasing: text[(start + 1)..<colon])
        guard word.count < 40, !word.contains(10) else { return nil }
        var end = start
        while end >= 3, Bytes(rebasing: text[(end - 3)..<end]).withoutMarks.isEmpty { end -= 3 }
        while end > 0, text[end - 1] == 32 || text[end - 1] == 10 || text[end - 1] == 13 { end -= 1 }
        return (name, Bytes(rebasing: text[..<end]))
    }

    /// `IMG-20221231-WA0001.jpg (file attached)`: with known words after the name, or with a name that WhatsApp gives to files.
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

    /// True if a name ends with an extension: `.jpg`
    private static func hasKind(_ name: Bytes) -> Bool {
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0, name.count - point > 1,
            name.count - point < 7
        else { return false }
        return name[(point + 1)...].allSatisfy { $0.isDigit || $0.isLetter }
    }

    /// Lines about the chat that contain no name.
    private static let notices: [StaticString] = [
        "You created ", "You added ", "You removed ", "You changed ", "You left", "You joined ", "You were added",
        "You're now ", "You turned ", "You pinned ", "You blocked ", "You unblocked ", "Your security code ",
        "This chat is with ", "This business ", "Disappearing messages ", "Waiting for this message", "The group ",
        "Group ", "Anyone ", "Du hast ", "Du wurdest ", "Deine Sicherheitsnummer ", "Selbstlöschende Nachrichten ",
        "Añadiste ", "Creaste ", "Cambiaste ", "Eliminaste a ", "Saliste ", "Te uniste ", "Se te añadió",
        "Tu código de seguridad ", "Vous avez ajouté ", "Vous avez créé ", "Vous avez changé ", "Vous avez modifié ",
        "Vous avez quitté", "Vous avez retiré ", "Votre code de sécurité ", "Hai creato ", "Hai aggiunto ",
        "Hai cambiato ", "Hai modificato ", "Hai rimosso ", "Hai abbandonato", "Você criou ", "Você adicionou ",
        "Você mudou ", "Você alterou ", "Você removeu ", "Você saiu", "Je hebt ", "U hebt ", "Utworzyłeś", "Dodałeś",
        "Zmieniłeś", "Вы создали ", "Вы добавили ", "Вы изменили ", "Вы удалили ", "Вы вышли",
        "Ваш код безопасности ",
    ]
    /// The notice that messages are encrypted, English first. It is at the beginning of each chat.
    private static let encryptions: [StaticString] = [
        "end-to-end encrypted", "Ende-zu-Ende-verschlüsselt", "cifrados de extremo a extremo",
        "cifradas de extremo a extremo", "chiffrés de bout en bout", "crittografati end-to-end",
        "crittografia end-to-end", "criptografia de ponta a ponta", "encriptação ponto a ponto",
        "encriptadas ponto a ponto", "end-to-end versleuteld", "szyfrowane metodą end-to-end",
        "szyfrowania typu end-to-end", "сквозным шифрованием", "сквозное шифрование", "наскрізним шифруванням",
        "uçtan uca şifreli", "एंड-टू-एंड एन्क्रिप्ट", "エンドツーエンド", "端到端加密", "端對端加密", "종단간 암호화", "مشفرة تمامًا",
        "מוצפנות מקצה", "terenkripsi secara end-to-end", "διατερματικ", "totalsträckskrypter", "end-to-end-krypter",
        "ende-til-ende-krypter", "päästä päähän", "végpontok közötti", "criptate integral", "koncové šifrování",
        "mã hóa đầu cuối", "เข้ารหัสจากต้นทาง", "xifrats d'extrem a extrem",
    ]
    /// Texts that replace a file that was not exported.
    private static let omissions: [StaticString] = [
        "<Medien ausgeschlossen>", "<Multimedia omitido>", "<Archivo omitido>", "<Médias omis>", "<Media omessi>",
        "<Mídia oculta>", "<Ficheiro não revelado>", "<Media weggelaten>", "<pominięto multimedia>",
        "<Без медиафайлов>", "<Файл пропущен>", "<Medya dahil edilmedi>", "<Media tidak disertakan>",
        "<मीडिया के बिना>", "<メディアは含まれていません>", "<省略多媒体文件>", "<省略多媒體檔案>", "<미디어 파일을 제외한 내용 불러오기 완료>", "<Média omise>",
        "<Médiafájl kihagyva>", "Bild weggelassen", "imagen omitida", "image absente", "immagine omessa",
        "imagem ocultada", "afbeelding weggelaten", "Video weggelassen", "audio omitido", "video omitido",
        "vidéo absente", "audio omis", "video omesso", "áudio ocultado",
    ]
    /// The ends of sentences in the scripts of the languages below.
    private static let stops: [StaticString] = [".", "。", "।", "۔"]
    /// Old and new wordings: an export uses those of the app that made it.
    private static let deletions: [StaticString] = [
        "This message was deleted", "You deleted this message", "Diese Nachricht wurde gelöscht",
        "Du hast diese Nachricht gelöscht", "Se eliminó este mensaje", "Eliminaste este mensaje",
        "Este mensaje fue eliminado", "Este mensaje se eliminó", "Ce message a été supprimé",
        "Vous avez supprimé ce message", "Questo messaggio è stato eliminato", "Hai eliminato questo messaggio",
        "Esta mensagem foi apagada", "Você apagou esta mensagem", "Mensagem apagada", "Dit bericht is verwijderd",
        "U hebt dit bericht verwijderd", "Ta wiadomość została usunięta", "Usunięto tę wiadomość",
        "Данное сообщение удалено", "Вы удалили данное сообщение", "Tato zpráva byla odstraněna",
        "Tuto zprávu jste odstranil/a", "Bu mesaj silindi", "Bu mesajı sildiniz", "このメッセージは削除されました",
        "Pesan ini telah dihapus", "Anda telah menghapus pesan ini", "تم حذف هذه الرسالة", "لقد حذفت هذه الرسالة",
        "הודעה זו נמחקה", "מחקת הודעה זו", "此消息已删除", "您已删除此消息", "你已删除此消息", "這則訊息已刪除", "您已刪除這則訊息", "이 메시지는 삭제되었습니다",
        "삭제된 메시지입니다", "Це повідомлення видалено", "Ви видалили це повідомлення", "Denne besked blev slettet",
        "Denne meldingen ble slettet", "Tämä viesti on poistettu", "Acest mesaj a fost șters",
        "Essa mensagem foi apagada", "Esta mensagem foi apagada pelo remetente", "Esta mensagem foi eliminada",
        "Apagou esta mensagem", "Eliminou esta mensagem", "Это сообщение было удалено", "Pesan ini dihapus",
        "Anda menghapus pesan ini", "消息已删除", "信息已删除", "这条消息已被删除", "此訊息已刪除", "यह मैसेज मिटाया गया",
        "यह संदेश मिटाया गया", "यह मैसेज डिलीट कर दिया गया है", "این پیام حذف شد", "این پیام حذف شده است",
        "یہ پیغام حذف کیا گیا", "یہ میسج حذف کر دیا گیا ہے", "Αυτό το μήνυμα διαγράφηκε", "Tin nhắn này đã bị xóa",
        "Aquest missatge s'ha suprimit",
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

extension UnsafeRawBufferPointer {
    /// True if a name occurs here and is not part of a longer word in Latin letters.
    fileprivate func hasWord(_ name: Bytes) -> Bool {
        guard !name.isEmpty, count >= name.count else { return false }
        func isLetter(_ at: Int) -> Bool { indices.contains(at) && self[at].isLetter }
        return (0...(count - name.count)).contains { at in
            self[at] == name[0] && Bytes(rebasing: self[at..<(at + name.count)]).elementsEqual(name)
                && !isLetter(at - 1)
                && !isLetter(at + name.count)
        }
    }
}
