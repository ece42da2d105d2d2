// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchShipping
import LaunchWire

struct ShipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ship",
    abstract: "Send launch records to a server or a file, and remove those that have arrived from the spool.",
    usage: "launchprof ship (--spool <dir> | <file> ...) --to <destination>",
    discussion: """
      Destinations:
        otlp=http://host:4318        an OpenTelemetry receiver
        clickhouse=http://host:8123  the table records of a ClickHouse server
        FILE.jsonl[.zst|.gz]         a file, to which the records are appended

      https needs the program curl. CLICKHOUSE_USER and CLICKHOUSE_PASSWORD are the user's name and password at ClickHouse. \
      OTEL_EXPORTER_OTLP_HEADERS (name=value,…, percent-encoded) adds headers, for example a key. \
      OTEL_EXPORTER_OTLP_COMPRESSION=none is for a receiver that does not know gzip. OTEL_EXPORTER_OTLP_TIMEOUT \
      (milliseconds, default: 30000) is the time for its answer to a request. ship does not remove files of records. \
      If the network fails, or the answer is 408, 429 or 5xx, ship tries again, with growing pauses. docs/telemetry.md says \
      more.

      Exit status 0: all records have arrived. 75: some records are left, another ship sends them, or the spool does not \
      exist yet; run ship again later. 1: something cannot be read, written or sent, is not a record, or was refused. 64: wrong options.
      """)

  @Option(help: ArgumentHelp("Directory of the spool.", valueName: "dir"), completion: .directory)
  var spool: String?

  @Option(help: ArgumentHelp("Where the records go.", valueName: "destination"))
  var to: String

  @Option(help: "Encoding of OTLP (default: json).")
  var format: OTLPFormat?

  @Option(
    name: .customLong("retry-for"), parsing: .unconditional,
    help: ArgumentHelp("Give up if nothing has arrived for this time (default: 60).", valueName: "seconds"))
  var patience: Double?

  @Argument(help: ArgumentHelp("Files of launch records.", valueName: "file"), completion: .file())
  var files: [String] = []

  func validate() throws {
    if (spool == nil) == files.isEmpty { throw ValidationError("Name a spool (--spool DIR) or files of records.") }
    // A variable of a script that is not set.
    if spool == "" { throw ValidationError("--spool: the name of a directory is missing.") }
    if to.isEmpty { throw ValidationError("--to: a destination is missing.") }
    if let patience, !(0...86_400).contains(patience) {
      throw ValidationError("--retry-for \(patience): expected 0 to 86400 seconds.")
    }
    if format != nil, !to.hasPrefix("otlp=") {
      throw ValidationError("--format: only an OpenTelemetry receiver (otlp=…) has encodings; leave it out.")
    }
  }

  func run() throws {
    let destination: Destination
    do {
      destination = try Destination(
        to, format: format ?? .json, headers: headers(), compresses: compresses, timeout: timeout())
      if spool != nil { try destination.checkKeeps() }
      for file in files { try destination.check(source: file) }
    } catch {
      throw fail(error, status: CommandStatus.usage)
    }
    if case .file(let file) = destination, let mistake = RecordFileName.mistake(file.path, option: "--to") {
      throw fail(mistake, status: CommandStatus.usage)
    }
    var shipper = Shipper(to: destination, patience: .seconds(patience ?? 60), tell: tell)
    let (result, notRecords, isSound): (Shipper.Result, Int, Bool)
    do {
      (result, notRecords, isSound) =
        try spool.map { try ship(Spool(path: $0), to: destination, &shipper) }
        ?? shipFiles(to: destination, &shipper)
    } catch {
      let total = shipper.total
      if total != .init() { tell("\(total.delivered) sent, \(total.refused) refused, the others stay") }
      throw error
    }
    let others = notRecords == 0 ? "" : notRecords == 1 ? "1 not a record, " : "\(notRecords) not records, "
    tell("\(result.delivered) sent, \(result.refused) refused, \(others)\(result.left) left")
    if result.refused > 0 { throw ShippingError(.refused, destination.name, "did not take all records") }
    if notRecords > 0 || !isSound { throw ExitCode(CommandStatus.failure) }
    if result.left > 0 { throw ExitCode(CommandStatus.laterPerhaps) }
  }

  /// Also the number of lines that are not records, and whether each record may be sent there.
  private func shipFiles(
    to destination: Destination, _ shipper: inout Shipper
  ) throws(ShippingError) -> (Shipper.Result, notRecords: Int, isSound: Bool) {
    var (lines, notRecords): ([String], Int) = ([], 0)
    for file in files {
      let (found, broken) = try LineFile(path: file).records()
      if broken > 0 {
        tell("\(file): \(broken) line\(broken == 1 ? " is not a record" : "s are not records")")
      }
      lines += found
      notRecords += broken
    }
    let known = lines.filter(destination.accepts)
    let newer = lines.count - known.count
    tellNewer(newer, destination)
    var result = try shipper.ship(known, line: { $0 }, delivered: { _ in }, refused: { _ in })
    result.left += newer
    return (result, notRecords, newer == 0)
  }

  private func tellNewer(_ count: Int, _ destination: Destination) {
    if count == 0 { return }
    let what =
      count == 1
      ? "1 record of a newer format cannot become a span, and stays"
      : "\(count) records of a newer format cannot become spans, and stay"
    tell("\(destination.name): \(what); update launchprof")
  }

  /// Also the number of files that are not records, and whether each other one can be read and may be sent there.
  private func ship(
    _ spool: Spool, to destination: Destination, _ shipper: inout Shipper
  ) throws -> (Shipper.Result, notRecords: Int, isSound: Bool) {
    if spool.isAwaited {
      throw fail("\(spool.path): no program has left a record there yet", status: CommandStatus.laterPerhaps)
    }
    let answer = try spool.alone { () throws(ShippingError) in
      defer {
        let count = spool.deleteOldRefused()
        if count > 0 { tell("\(spool.path)/refused: has more than \(Spool.mostRefused) files; \(count) were deleted") }
      }
      let found = try spool.recordNames()
      var (result, unreadable, broken, newer) = (Shipper.Result(), found.unreadable, 0, 0)
      for (name, reason) in unreadable.prefix(Self.mostNamed) { tell("\(spool.path)/\(name): \(reason)") }
      var rest = found.names[...]
      while !rest.isEmpty {
        let part = spool.contents(of: rest.prefix(Self.mostAtOnce))
        rest = rest.dropFirst(Self.mostAtOnce)
        if !part.entries.isEmpty || !part.broken.isEmpty { try spool.checkWritable() }
        for name in part.broken {
          try spool.putAside(name)
          broken += 1
          if broken <= Self.mostNamed { tell("\(spool.path)/\(name): is not a record, and goes to refused/") }
        }
        for (name, reason) in part.unreadable.prefix(max(0, Self.mostNamed - unreadable.count)) {
          tell("\(spool.path)/\(name): \(reason)")
        }
        unreadable += part.unreadable
        let known = part.entries.filter { destination.accepts($0.line) }
        newer += part.entries.count - known.count
        let shipped = try shipper.ship(known, line: \.line, delivered: spool.remove, refused: spool.refuse)
        result.delivered += shipped.delivered
        result.refused += shipped.refused
        result.left += shipped.left
        if shipped.left > 0 { break }
      }
      if unreadable.count > Self.mostNamed {
        tell("\(spool.path): \(unreadable.count - Self.mostNamed) more cannot be read")
      }
      if broken > Self.mostNamed {
        tell("\(spool.path): \(broken - Self.mostNamed) more are not records, and go to refused/")
      }
      tellNewer(newer, destination)
      result.left += rest.count + unreadable.count + newer
      return (result, broken, unreadable.isEmpty && newer == 0)
    }
    guard let answer else {
      throw fail("\(spool.path): another ship is sending its records", status: CommandStatus.laterPerhaps)
    }
    return answer
  }

  /// Records of a spool that are in memory.
  private static let mostAtOnce = 4096
  /// Files that cannot be read, and files that are not records: how many of each are named.
  private static let mostNamed = 3

  /// For receivers that do not know gzip, and do not say so by the status 415.
  private var compresses: Bool { environment("OTEL_EXPORTER_OTLP_COMPRESSION") != "none" }

  /// For a request, seconds.
  private func timeout() -> Double {
    let variable = "OTEL_EXPORTER_OTLP_TIMEOUT"
    guard to.hasPrefix("otlp="), let text = environment(variable) else { return OTLPTimeout.standard }
    if let seconds = OTLPTimeout.seconds(text) { return seconds }
    tell("\(variable): expected a whole number of milliseconds; a request may take \(Int(OTLPTimeout.standard)) s")
    return OTLPTimeout.standard
  }

  /// Secrets come by the environment: others can see arguments.
  private func headers() -> [(name: String, value: String)] {
    if to.hasPrefix("clickhouse=") { return ClickHouseUser.headers }
    let variable = "OTEL_EXPORTER_OTLP_HEADERS"
    guard to.hasPrefix("otlp="), let text = environment(variable) else { return [] }
    let read = OTLPHeaders(text)
    for problem in read.problems { tell("\(variable): \(problem)") }
    return read.headers
  }
}

extension OTLPFormat: ExpressibleByArgument {}
