// SPDX-License-Identifier: Apache-2.0

import Foundation
import Yams

/// `notes.yml`.
struct Configuration: Decodable {
  /// How many notes to list.
  var shown: Int
  /// What to call each tag.
  var tags: [String: String]

  init(path: String) throws(NotesError) {
    do {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      self = try YAMLDecoder().decode(Configuration.self, from: text)
    } catch {
      throw NotesError("\(path) is no configuration: \(error)")
    }
  }
}
