// SPDX-License-Identifier: Apache-2.0

/// What was probably meant by a word that is not known.
enum SimilarWord {
  private static let most = 3

  /// The known words that resemble a word, the most similar first; none if nothing does.
  static func all(of word: String, in known: [String]) -> [String] {
    let asked = word.lowercased()
    let parts = asked.split(separator: "-").filter { $0.count > 2 }
    let near = known.map { (word: $0, distance: distance(asked, $0.lowercased())) }.filter { near in
      near.distance <= max(1, asked.count / 3) || !asked.isEmpty && near.word.hasPrefix(asked)
        || !parts.isEmpty && parts.allSatisfy(near.word.contains)
    }
    return near.sorted { $0.distance < $1.distance }.prefix(most).map(\.word)
  }

  /// The known word from which a word differs by one letter, or by upper and lower case.
  static func misspelling(of word: String, in known: [String]) -> String? {
    known.first { distance(word.lowercased(), $0.lowercased()) <= 1 }
  }

  /// How many characters must be added, removed, replaced or exchanged with their neighbours to make one word of the other.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var (before, above) = ([Int](), Array(0...other.count))
    for line in one.indices {
      var row = [line + 1]
      for column in other.indices {
        let replaced = above[column] + (one[line] == other[column] ? 0 : 1)
        row.append(min(replaced, row[column] + 1, above[column + 1] + 1))
        if line > 0, column > 0, one[line] == other[column - 1], one[line - 1] == other[column] {
          row[column + 1] = min(row[column + 1], before[column - 1] + 1)
        }
      }
      (before, above) = (above, row)
    }
    return above[other.count]
  }
}
