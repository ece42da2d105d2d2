// SPDX-License-Identifier: Apache-2.0

/// A value of a YAML document, and where it begins.
struct YAMLNode {
  enum Content {
    /// The text of any value that is neither a list nor a mapping; without its quotes.
    case scalar(String)
    case sequence([YAMLNode])
    /// In the order of the file. No two keys are the same text.
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  let content: Content
  let place: YAMLPlace
  /// The number of values in it, itself included.
  let size: Int

  init(_ content: Content, at place: YAMLPlace) {
    (self.content, self.place) = (content, place)
    size =
      switch content {
      case .scalar: 1
      case .sequence(let nodes): nodes.reduce(1) { $0 + $1.size }
      case .mapping(let entries): entries.reduce(1) { $0 + $1.key.size + $1.value.size }
      }
  }
}

/// A place in a text, counted from 1. A column is a Unicode scalar.
struct YAMLPlace: Equatable {
  var line: Int
  var column: Int
}

/// Why a text cannot be read as a YAML document.
struct YAMLError: Error {
  var place: YAMLPlace
  /// A sentence for people.
  var message: String
}
