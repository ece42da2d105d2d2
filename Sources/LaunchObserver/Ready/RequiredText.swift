// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Words of which every match of a pattern contains at least one: `port \d+|ready` needs `port ` or `ready`.
///
/// It includes only what is certain. A pattern with unusual syntax (options, look-around, properties) has no words.
struct RequiredText: Equatable {
  /// Never empty, and no word is empty.
  let words: [[UInt8]]

  var longest: Int { words.map(\.count).max() ?? 0 }

  /// nil if no word is certain to be in every match.
  init?(_ pattern: String) {
    var reader = PatternReader(pattern)
    guard let words = reader.words() else { return nil }
    self.words = words
  }

  /// The index of the first word at or after `start`.
  func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
    var end = rest.count
    var found: Int?
    for word in words {
      let place = lo_bytes_find(rest.baseAddress, end, word, word.count)
      guard place >= 0 else { continue }
      found = min(found ?? place, place)
      end = min(rest.count, place + longest)
    }
    return found.map { start + $0 }
  }
}

/// Reads the syntax of regular expressions as far as needed to know what a match must contain.
private struct PatternReader {
  private let characters: [Character]
  private var at = 0
  /// The syntax was not understood, so nothing is certain.
  private var isUnknown = false

  init(_ pattern: String) { characters = Array(pattern) }

  private var next: Character? { at < characters.count ? characters[at] : nil }

  mutating func words() -> [[UInt8]]? {
    let words = alternatives()
    return isUnknown || at < characters.count ? nil : words
  }

  /// `a|b|c`, up to the end or a closing bracket: one word for each; nil if one of them needs no word.
  private mutating func alternatives() -> [[UInt8]]? {
    var all: [[UInt8]]? = []
    while true {
      let words = sequence()
      all = words.flatMap { words in all.map { $0 + words } }
      guard next == "|", !isUnknown else { return all }
      at += 1
    }
  }

  /// Consecutive parts: the words of the part with the longest words.
  private mutating func sequence() -> [[UInt8]]? {
    var best: [[UInt8]]?
    var run: [UInt8] = []
    func length(_ words: [[UInt8]]?) -> Int { words?.map(\.count).min() ?? 0 }
    func offer(_ words: [[UInt8]]?) { if length(words) > length(best) { best = words } }
    while let character = next, character != "|", character != ")", !isUnknown {
      at += 1
      let atom = atom(character)
      let repetition = repetition()
      if case .letter(let byte) = atom, repetition != .optional {
        run.append(byte)
        if repetition == .once { continue }
      }
      offer(run.isEmpty ? nil : [run])
      run = []
      if case .group(let words) = atom, repetition != .optional { offer(words) }
    }
    offer(run.isEmpty ? nil : [run])
    return best
  }

  private enum Atom {
    case letter(UInt8)
    case group([[UInt8]]?)
    /// Any character, or a position between two.
    case any
  }

  private mutating func atom(_ character: Character) -> Atom {
    switch character {
    case "(": return group()
    case "[": return set()
    case "\\": return escape()
    case ".", "^", "$": return .any
    case "*", "+", "?", "{", "}", "]": return unknown()
    default: return Self.letter(character)
    }
  }

  /// Other characters may have several encodings.
  private static func letter(_ character: Character) -> Atom {
    character.utf8.count == 1 ? character.asciiValue.map(Atom.letter) ?? .any : .any
  }

  private mutating func unknown() -> Atom {
    isUnknown = true
    return .any
  }

  private mutating func group() -> Atom {
    if next == "?" {
      guard at + 1 < characters.count, characters[at + 1] == ":" else { return unknown() }
      at += 2
    }
    let words = alternatives()
    guard next == ")" else { return unknown() }
    at += 1
    return .group(words)
  }

  private mutating func set() -> Atom {
    if next == "^" { at += 1 }
    if next == "]" { return unknown() }
    while let character = next, character != "]" {
      if character == "[" || character == "&" || character == "~" { return unknown() }
      at += character == "\\" ? 2 : 1
    }
    guard next == "]" else { return unknown() }
    at += 1
    return .any
  }

  private mutating func escape() -> Atom {
    guard let character = next else { return unknown() }
    at += 1
    if "dDwWsSbBAzZhHvVtnr".contains(character) { return .any }
    return character.isLetter || character.isNumber ? unknown() : Self.letter(character)
  }

  private enum Repetition { case once, several, optional }

  private mutating func repetition() -> Repetition {
    var result = Repetition.once
    switch next {
    case "*", "?": result = .optional
    case "+": result = .several
    case "{":
      guard let end = characters[at...].firstIndex(of: "}") else {
        isUnknown = true
        return .optional
      }
      let least = characters[(at + 1)..<end].prefix { $0 != "," }
      result = least.allSatisfy(\.isNumber) && least.contains { $0 != "0" } ? .several : .optional
      at = end
    default: return .once
    }
    at += 1
    // A lazy or possessive suffix.
    if next == "?" || next == "+" { at += 1 }
    return result
  }
}
