// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchRecord
package import LaunchSystem
internal import LaunchWire

/// Where records are sent.
package enum Destination: Sendable {
  case otlp(OTLPReceiver)
  /// The table `records` of a ClickHouse server.
  case clickHouse(WebAddress, headers: [(name: String, value: String)])
  case file(LineFile)

  /// What became of some records.
  enum Outcome {
    case delivered
    /// They came, and the other side left some of them out: it will not take them another time.
    case refusedInPart(String)
    /// They came, and the other side left all of them out.
    case refusedWhole(String)
    /// Not now; seconds to wait, if the other side says so.
    case later(String, after: Double?)
    /// Something in these records cannot be sent there.
    case unfit(String)
    /// Something in these records is not wanted.
    case refused(String)
    /// Nothing can be sent there.
    case impossible(ShippingError)
  }

  /// Reads `otlp=http://host:4318`, `clickhouse=http://host:8123`, or the name of a file.
  ///
  /// - Parameters:
  ///   - headers: of requests.
  ///   - compresses: whether requests to an OpenTelemetry receiver are compressed.
  ///   - timeout: for a request to an OpenTelemetry receiver, seconds.
  /// - Throws: `ShippingError`: `badDestination`.
  package init(
    _ text: String, format: OTLPFormat, headers: [(name: String, value: String)], compresses: Bool = true,
    timeout: Double = OTLPTimeout.standard
  ) throws(ShippingError) {
    guard let equals = text.firstIndex(of: "="), !text[..<equals].contains(where: { "/.".contains($0) }) else {
      guard WebAddress(text) == nil else {
        throw ShippingError(.badDestination, text, "say what kind of receiver it is, for example otlp=\(text)")
      }
      if let kind = Self.kinds.first(where: { text == $0 || text.hasPrefix($0 + ":") }) {
        throw ShippingError(
          .badDestination, text, "add the address: \(kind)=http://HOST:PORT; to write a file of this name: ./\(text)")
      }
      // A record leaves its spool only once it is on the disk. A reader of standard output promises nothing.
      if text == "-" {
        throw ShippingError(
          .badDestination, text, "standard output does not keep records; use 'launchprof extract', or name a file")
      }
      self = .file(LineFile(path: text))
      return
    }
    let address = String(text[text.index(after: equals)...])
    let kind = text[..<equals]
    guard Self.kinds.contains(String(kind)) else {
      throw ShippingError(
        .badDestination, text, "expected otlp=http://HOST:4318, clickhouse=http://HOST:8123, or the name of a file")
    }
    guard var web = WebAddress(address) else {
      throw ShippingError(.badDestination, address, "expected http://HOST:PORT or https://HOST, without a user's name")
    }
    if kind == "clickhouse" {
      self = .clickHouse(web, headers: headers)
      return
    }
    // As OpenTelemetry's own exporters do with the address of a collector.
    if web.target == "/" { web.target = "/v1/traces" }
    self = .otlp(OTLPReceiver(web, format, headers: headers, compresses: compresses, timeout: timeout))
  }

  private static let kinds = ["otlp", "clickhouse"]

  /// For people.
  package var name: String {
    switch self {
    case .otlp(let receiver): receiver.address.description
    case .clickHouse(let address, _): address.description
    case .file(let file): file.path
    }
  }

  /// Checks that records of a file are not appended to the file itself, which would double it.
  ///
  /// - Throws: `ShippingError`: `badDestination`.
  package func check(source path: String) throws(ShippingError) {
    guard case .file(let file) = self, isSameFile(file.path, path) else { return }
    throw ShippingError(.badDestination, file.path, "is one of the files to ship; name another file")
  }

  /// Whether a record may be sent there. This version would misunderstand a newer format: only those who get the record
  /// as it is may have it.
  package func accepts(_ line: String) -> Bool {
    guard case .otlp = self else { return true }
    return (RecordReader.read(line)?.number(.record) ?? 0) <= Record.format
  }

  /// Checks that a file keeps what it gets: its records leave their spool. Pipes and devices keep nothing.
  ///
  /// - Throws: `ShippingError`: `badDestination`.
  package func checkKeeps() throws(ShippingError) {
    guard case .file(let file) = self, access(file.path, F_OK) == 0, !isRegular(file.path) else { return }
    throw ShippingError(
      .badDestination, file.path, "is not a regular file, and would not keep the records; name another file")
  }

  /// How many records are sent at once.
  var batch: Int {
    switch self {
    case .otlp: 64
    case .clickHouse: 1024
    case .file: 4096
    }
  }

  /// - Parameter lines: records. Files and ClickHouse get them as they are.
  mutating func send(_ lines: [String]) -> Outcome {
    switch self {
    case .otlp(var receiver):
      let launches = lines.compactMap { line in RecordReader.read(line).flatMap { LaunchSpans($0) } }
      guard launches.count == lines.count else {
        return .unfit("a record without the time of its start cannot become a span")
      }
      let format = receiver.format
      defer { self = .otlp(receiver) }
      let send = { () throws(WebFailure) in try receiver.send(launches) }
      return Self.outcome(at: receiver.address, of: send) { response in
        let answer = OTLPAnswer(response.body, format)
        guard answer.rejectedSpans > 0 else { return .delivered }
        let all = launches.reduce(0) { $0 + $1.spans.count }
        return answer.rejectedSpans < all
          ? .refusedInPart("\(answer.rejectedSpans) spans were refused: \(answer.message)")
          : .refusedWhole("all spans were refused: \(answer.message)")
      }
    case .clickHouse(let address, let headers):
      let insertion = Self.insertion(of: lines, into: address, headers)
      return Self.outcome(at: address, of: insertion.send) { _ in .delivered }
    case .file(var file):
      do throws(ShippingError) {
        try file.append(lines)
        self = .file(file)
        return .delivered
      } catch { return .impossible(error) }
    }
  }

  /// The server keeps one of two insertions with the same token, and the table one of two records with the same id.
  private static func insertion(
    of lines: [String], into address: WebAddress, _ headers: [(name: String, value: String)]
  ) -> WebRequest {
    let token = LaunchID(of: lines.compactMap { RecordReader.read($0)?.text(.id) }.joined(separator: " ")).text
    var address = address
    address.target += address.target.contains("?") ? "&" : "?"
    address.target += "query=INSERT%20INTO%20records%20FORMAT%20LineAsString&insert_deduplication_token=\(token)"
    let body = lines.map { $0 + "\n" }.joined()
    return WebRequest(
      address: address, headers: [(name: "Content-Type", value: "application/x-ndjson")] + headers,
      body: Array(body.utf8))
  }

  private static func outcome(
    at address: WebAddress, of send: () throws(WebFailure) -> WebResponse, _ success: (WebResponse) -> Outcome
  ) -> Outcome {
    let response: WebResponse
    do throws(WebFailure) { response = try send() } catch {
      if error.isPermanent {
        return .impossible(ShippingError(.missingTool, address.description, error.description))
      }
      return .later(error.description, after: nil)
    }
    let said = response.said
    switch response.status {
    case 200..<300 where response.isPage:
      let advice =
        "the answer is a web page, which confirms nothing: \(said); is the address right, or does the network ask for a "
        + "log-in?"
      return .impossible(ShippingError(.refused, address.description, advice))
    case 200..<300: return success(response)
    case 408, 429, 500..<600: return .later(said, after: response.retryAfter(now: Int64(time(nil))))
    // 400: a record that cannot be understood; 413: too much at once; 422: as 400.
    case 400, 413, 422: return .refused(said)
    default:
      let advice = "the receiver answered with \(said); is the address right, and are you allowed to send there?"
      return .impossible(ShippingError(.refused, address.description, advice))
    }
  }
}
