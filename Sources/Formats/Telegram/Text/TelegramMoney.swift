/// Amounts, which Telegram counts in the smallest units of a currency.
enum TelegramMoney {
    private static let withoutUnits: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
        "XOF",
        "XPF",
    ]

    /// `12.50 EUR`; `XTR` stands for Telegram Stars.
    static func text(_ amount: Int64?, _ currency: String?) -> String {
        guard let amount, let currency else { return "" }
        if currency == "XTR" { return "\(amount) Stars" }
        if withoutUnits.contains(currency) { return "\(amount) \(currency)" }
        let (units, rest) = (amount.magnitude / 100, amount.magnitude % 100)
        return "\(amount < 0 ? "-" : "")\(units).\(rest < 10 ? "0" : "")\(rest) \(currency)"
    }

    /// An amount as whole units and billionths: `2.5 TON`.
    static func text(whole: Int64, billionths: Int64, _ unit: String) -> String {
        guard billionths != 0 else { return "\(whole) \(unit)" }
        var digits = String(billionths.magnitude)
        digits = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits) \(unit)"
    }
}
