// SPDX-License-Identifier: Apache-2.0

/// How many brackets of a name are open, while it is read. The arrow `->` has none.
struct BracketDepth {
  private(set) var value = 0
  private(set) var previous: Character = " "

  mutating func read(_ character: Character) {
    switch character {
    case "(", "<", "[": value += 1
    case ")", "]": value -= 1
    case ">" where previous != "-": value -= 1
    default: break
    }
    previous = character
  }
}
