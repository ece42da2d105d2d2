// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open file, and its description for a viewer.
package struct ServedFile: Sendable {
  /// Not closed by the server.
  package var descriptor: Int32
  package var size: Int
  /// The last part of its address. Viewers show it, and some detect the format from it.
  package var name: String
  package var contentType: String

  /// - Throws: `ServingError` (`cannotRead`) if the file's size is unknown.
  package init(descriptor: Int32, name: String, contentType: String) throws(ServingError) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw ServingError(.cannotRead, message: "\(name): is not a file that can be served")
    }
    self.descriptor = descriptor
    size = Int(facts.st_size)
    self.name = Self.plain(name)
    self.contentType = contentType
  }

  /// Letters, digits, `.`, `-` and `_`: a name that needs no escapes in an address.
  static func plain(_ name: String) -> String {
    let file = name.split(separator: "/").last ?? "launch"
    let plain = file.unicodeScalars.map { scalar in
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar))
      return isPlain ? Character(scalar) : "_"
    }
    return String(plain.suffix(100))
  }
}
