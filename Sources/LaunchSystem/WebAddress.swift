// SPDX-License-Identifier: Apache-2.0

/// The address of a server that is asked over HTTP: `http://host:port/path?query`.
package struct WebAddress: Sendable, Equatable, CustomStringConvertible {
  package let isSecure: Bool
  package let host: String
  package let port: UInt16
  /// With the query; begins with a slash.
  package var target: String

  /// nil if it is not such an address.
  package init?(_ text: String) {
    guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else { return nil }
    // A request has lines: nothing in an address may begin one.
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x40 }) else { return nil }
    isSecure = scheme == "https://"
    let rest = text.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let path = rest[end...].prefix { $0 != "#" }
    target = path.hasPrefix("/") ? String(path) : "/" + path
    var authority = rest[..<end]
    var digits: Substring?
    let isBracketed = authority.hasPrefix("[")
    if let colon = authority.lastIndex(of: ":"), !isBracketed || authority[..<colon].hasSuffix("]") {
      digits = authority[authority.index(after: colon)...]
      authority = authority[..<colon]
    }
    if isBracketed {
      guard authority.hasSuffix("]") else { return nil }
      authority = authority.dropFirst().dropLast()
    }
    host = String(authority)
    guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
    guard let port = digits.map({ UInt16($0) }) ?? (isSecure ? 443 : 80), port > 0 else { return nil }
    self.port = port
  }

  /// Host and port, as a request names them.
  package var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  package var description: String { (isSecure ? "https://" : "http://") + authority + target }
}
