import TestSupport

/// One step of a script. Its numbers are fitted to any state, so that a script without some of its steps is still a
/// script.
enum Action: Hashable {
    case scroll(Int), screen(Int), select(Int), click(Int), resize(Int, Int)
    /// Resizes through other sizes and back to that of the user's last move.
    case wobble(Int, Int)
    case jump(Int, Int), home, end, open(Int, Int), remember, comeBack(Int)
    /// The store responds to one of the open loads, after reading a number of lines.
    case answer(Int, Int)
    /// The store responds for both sides, in either order.
    case answerBoth(Int, Int)
    case fail(Int), retry(Int)
    /// A response to a load that is no longer wanted.
    case late(Int)
    case arrive(Int), edit(Int, Int), remove(Int), insert(Int, Int)
    /// Several changes at once.
    case sync(Int, Int)
    case typing(Int)
    /// Scrolls by screens, up when negative, with all pages that this takes.
    case travel(Int)
    /// Some moves away, and back.
    case excursion(Int, Int)

    static func random(using random: inout SeededGenerator) -> Action {
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        switch number(0..<44) {
        case 0, 1: return .scroll(number(-12..<13))
        case 2...6: return .screen(number(-2..<3))
        case 7, 8: return .select(number(-3..<4))
        case 9: return .click(number(0..<20))
        case 10, 11: return .resize(number(1..<16), number(1..<12))
        case 12: return .jump(number(0..<200), number(0..<4))
        case 13: return .home
        case 14: return .end
        case 15: return .open(number(0..<400), number(0..<5))
        case 16: return .remember
        case 17: return .comeBack(number(0..<8))
        case 18...22: return .answer(number(0..<4), number(1..<12))
        case 23: return .answerBoth(number(1..<12), number(1..<12))
        case 24: return .fail(number(0..<4))
        case 25: return .retry(number(0..<2))
        case 26: return .late(number(0..<8))
        case 27, 28: return .arrive(number(1..<40))
        case 29, 30: return .edit(number(0..<200), number(1..<60))
        case 31: return .remove(number(0..<200))
        case 32, 33: return .insert(number(0..<200), number(1..<40))
        case 34, 35: return .sync(number(0..<1_000), number(1..<6))
        case 36, 37: return .wobble(number(0..<1_000), number(1..<4))
        case 40, 41: return .travel(number(-24..<25))
        case 38, 39: return .excursion(number(0..<1_000), number(1..<6))
        default: return .typing(number(0..<2))
        }
    }

    /// The same step with smaller numbers, for a simpler script.
    var simpler: [Action] {
        func less(_ number: Int) -> [Int] {
            number == 0
                ? [] : Array(Set([0, number.signum(), number / 2, number - number.signum()])).filter { $0 != number }
        }
        func pairs(_ a: Int, _ b: Int, _ make: (Int, Int) -> Action) -> [Action] {
            less(a).map { make($0, b) } + less(b).map { make(a, $0) }
        }
        switch self {
        case .scroll(let n): return less(n).map(Action.scroll)
        case .screen(let n): return less(n).map(Action.screen)
        case .select(let n): return less(n).map(Action.select)
        case .click(let n): return less(n).map(Action.click)
        case .comeBack(let n): return less(n).map(Action.comeBack)
        case .fail(let n): return less(n).map(Action.fail)
        case .retry(let n): return less(n).map(Action.retry)
        case .late(let n): return less(n).map(Action.late)
        case .arrive(let n): return less(n).map(Action.arrive)
        case .remove(let n): return less(n).map(Action.remove)
        case .typing(let n): return less(n).map(Action.typing)
        case .travel(let n): return less(n).map(Action.travel)
        case .resize(let a, let b): return pairs(a, b, Action.resize)
        case .jump(let a, let b): return pairs(a, b, Action.jump)
        case .open(let a, let b): return pairs(a, b, Action.open)
        case .answer(let a, let b): return pairs(a, b, Action.answer)
        case .answerBoth(let a, let b): return pairs(a, b, Action.answerBoth)
        case .edit(let a, let b): return pairs(a, b, Action.edit)
        case .insert(let a, let b): return pairs(a, b, Action.insert)
        case .sync(let a, let b): return pairs(a, b, Action.sync)
        case .wobble(let a, let b): return pairs(a, b, Action.wobble)
        case .excursion(let a, let b): return pairs(a, b, Action.excursion)
        case .home, .end, .remember: return []
        }
    }
}
