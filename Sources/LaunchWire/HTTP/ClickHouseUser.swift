// SPDX-License-Identifier: Apache-2.0

/// Who asks a ClickHouse server.
package enum ClickHouseUser {
  /// The headers that name the user; none if there is neither a name nor a password.
  ///
  /// The server's own headers hold printable ASCII. Other characters, and blanks, are sent as RFC 7617 says.
  package static func headers(name: String?, password: String?) -> [(name: String, value: String)] {
    let texts = [name, password].compactMap { $0 }
    if texts.allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } }) {
      return [("X-ClickHouse-User", name), ("X-ClickHouse-Key", password)].compactMap { header, text in
        text.map { (header, $0) }
      }
    }
    return [("Authorization", "Basic " + base64(Array("\(name ?? "default"):\(password ?? "")".utf8)))]
  }

  /// RFC 4648, 4.
  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
      for place in 0..<4 { text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 0x3f] : "=") }
    }
    return text
  }
}
