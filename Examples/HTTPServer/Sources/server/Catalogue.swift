// SPDX-License-Identifier: Apache-2.0

import Foundation

struct Product: Codable, Sendable {
  var name: String
  var words: [String]
}

/// The products, by the words that describe them.
struct Catalogue: Sendable {
  private let products: [Product]
  private let byWord: [String: [Int]]

  init(halves: [[Product]]) {
    products = halves.flatMap(\.self)
    var byWord: [String: [Int]] = [:]
    for (index, product) in products.enumerated() {
      for word in product.words { byWord[word, default: []].append(index) }
    }
    self.byWord = byWord
  }

  func products(matching word: String) -> [String] { (byWord[word] ?? []).map { products[$0].name } }

  /// Searches once for every word, as the first visitors would.
  func warmUp() {
    for word in byWord.keys { _ = products(matching: word) }
  }

  /// Decodes one half from JSON, as a service that loads its data at start does.
  static func load(half: Int) async throws -> [Product] {
    try JSONDecoder().decode([Product].self, from: Data(json(half: half).utf8))
  }

  private static func json(half: Int) -> String {
    let entries = (0..<1_000).map { index in
      let number = half * 1_000 + index
      return #"{"name": "Product \#(number)", "words": ["colour\#(number % 7)", "size\#(number % 11)"]}"#
    }
    return "[" + entries.joined(separator: ",") + "]"
  }
}
