/// A format that is not read, and what people can do who have a file of it.
struct ForeignFormat {
  /// With an article, behind "is".
  var name: String
  var advice: String
  private var matches: @Sendable (FileHead) -> Bool

  /// What a file that no importer takes looks like.
  static func of(_ head: FileHead) -> ForeignFormat? { all.first { $0.matches(head) } }

  private static let all = binaries + profiles + texts

  private static func signature(_ name: String, _ advice: String, _ bytes: [UInt8]...) -> ForeignFormat {
    ForeignFormat(name: name, advice: advice) { head in bytes.contains { head.begins(with: $0) } }
  }

  private static let binaries = [
    signature("a zip archive", "unpack it, and give the file in it", [0x50, 0x4b, 3, 4]),
    signature("a file compressed by xz", "decompress it with xz -d", [0xfd, 0x37, 0x7a, 0x58, 0x5a]),
    signature("a file compressed by bzip2", "decompress it with bzip2 -d", [0x42, 0x5a, 0x68]),
    signature("a file compressed by Zstandard", "decompress it with zstd -d", [0x28, 0xb5, 0x2f, 0xfd]),
    signature("text in UTF-16", "convert it: iconv -f UTF-16 -t UTF-8", [0xff, 0xfe], [0xfe, 0xff]),
    signature("perf's recording", "give what this prints: perf script -i FILE", Array("PERFILE2".utf8)),
    signature("a program", "record it: launchprof record -- FILE", [0x7f, 0x45, 0x4c, 0x46]),
    signature("an SQLite database", "give the trace that it was made from", Array("SQLite format 3".utf8)),
  ]

  private static let profiles = [
    json(
      "a heap snapshot of V8", "it holds no times",
      { $0.contains("\"snapshot\"") && $0.contains("\"node_fields\"") }),
    json("OpenTelemetry's JSON", "export Chrome's trace format", { $0.contains("\"resourceSpans\"") }),
  ]

  private static func json(
    _ name: String, _ advice: String, _ holds: @escaping @Sendable (FileHead) -> Bool
  ) -> ForeignFormat {
    ForeignFormat(name: name, advice: advice) { $0.first == UInt8(ascii: "{") && holds($0) }
  }

  private static let texts = [
    ForeignFormat(name: "systrace's page", advice: "record with Perfetto instead") {
      $0.first == UInt8(ascii: "<") && ($0.contains("systrace") || $0.contains("trace-data"))
    },
    ForeignFormat(name: "a picture (SVG)", advice: "give the folded stacks that it was drawn from") {
      $0.first == UInt8(ascii: "<") && $0.contains("<svg")
    },
    ForeignFormat(name: "text of ftrace (systrace)", advice: "record with Perfetto instead") { head in
      head.contains("# tracer:") || head.contains("TRACE:\n")
    },
    ForeignFormat(
      name: "text of pprof", advice: "give the profile that it was made from"
    ) { $0.contains("flat  flat%") },
    ForeignFormat(
      name: "what dyld prints (DYLD_PRINT_STATISTICS)", advice: "record the launch with Instruments and export it"
    ) { $0.contains("Total pre-main time:") },
    ForeignFormat(name: "a profile of Callgrind", advice: "read it with callgrind_annotate") {
      $0.contains("# callgrind format")
    },
    lines("what LD_DEBUG prints", "launchprof record --detail loader times the loader") { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts.count == 2 && parts[1].first == "\t" && Int(parts[0].drop { $0 == " " }) != nil
    },
    lines("what strace prints", "launchprof record says what the program waited for") { line in
      guard let open = line.firstIndex(of: "("), let equals = line.range(ofLast: " = ") else { return false }
      return open < equals && line[..<open].utf8.allSatisfy { $0 > 0x20 ? $0 != 0x3b : true }
    },
    lines("SQL", "give the trace that it was made from") { line in
      let word = line.drop { $0 == " " }.prefix { $0.isLetter }.uppercased()
      return ["SELECT", "INSERT", "CREATE", "PRAGMA", "BEGIN", "COMMIT", "DROP", "UPDATE"].contains(word)
    },
  ]

  /// Text most of whose lines are like that.
  private static func lines(
    _ name: String, _ advice: String, _ isOne: @escaping @Sendable (Substring) -> Bool
  ) -> ForeignFormat {
    ForeignFormat(name: name, advice: advice) { head in
      let lines = head.lines.filter { !$0.isEmpty }
      return !lines.isEmpty && lines.count(where: isOne) * 2 > lines.count
    }
  }
}

extension Substring {
  /// Where a piece occurs last.
  fileprivate func range(ofLast piece: String) -> Index? {
    var place = endIndex
    while place > startIndex {
      place = index(before: place)
      if self[place...].hasPrefix(piece) { return place }
    }
    return nil
  }
}
