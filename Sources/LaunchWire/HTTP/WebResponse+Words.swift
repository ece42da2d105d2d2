// SPDX-License-Identifier: Apache-2.0

extension WebResponse {
  /// The status, and what the other side says about it: `status 400: Client sent an HTTP request to an HTTPS server.`
  ///
  /// Of a page, that is its title. Control characters are left out.
  package var said: String {
    let status = "status \(status)"
    if let location = headers["location"] { return "\(status), to \(location)" }
    var text = String(decoding: body.prefix(Self.longestRead), as: UTF8.self)[...]
    if let start = text.firstRange(of: "<title>"), let end = text.firstRange(of: "</title>"),
      start.upperBound <= end.lowerBound
    {
      text = text[start.upperBound..<end.lowerBound]
    }
    let clean = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar == "\u{fffd}" ? " " : Character(scalar)
    }
    let words = String(clean).split(separator: " ").joined(separator: " ")
    // An empty answer, or an empty object of JSON, says nothing.
    guard words.count > 2 else { return status }
    let cut = words.prefix(Self.longestShown)
    return "\(status): \(cut)" + (cut.count < words.count ? "…" : "")
  }

  private static let longestRead = 2000
  private static let longestShown = 200
}
