// SPDX-License-Identifier: Apache-2.0

import Foundation

struct Note: Codable {
  struct Author: Codable {
    var name: String
    var mail: String?
  }

  var title: String
  var author: Author
  var tags: [String]
  var ratings: [String: Double]
}

let notes = (0..<200).map { number in
  Note(
    title: "note \(number)", author: .init(name: "author", mail: nil), tags: ["a", "b"], ratings: ["x": Double(number)])
}
let data = try JSONEncoder().encode(notes)
print(try JSONDecoder().decode([Note].self, from: data).count)
