// SPDX-License-Identifier: Apache-2.0

/// A format that cannot be read, and advice for people who have such a file.
struct ForeignFormat {
  /// The name with an article, to follow "looks like".
  var name: String
  var advice: String
  private var matches: @Sendable (FileHead) -> Bool

  /// The format of a file that no importer recognises; nil if it is unknown.
  static func of(_ head: FileHead) -> ForeignFormat? { all.first { $0.matches(head) } }

  private static let all = binaries + [report, records, reportOfRecords] + profiles + texts

  private static func signature(_ name: String, _ advice: String, _ bytes: [UInt8]...) -> ForeignFormat {
    ForeignFormat(name: name, advice: advice) { head in bytes.contains { head.bytes.starts(with: $0) } }
  }

  private static let binaries = [
    signature("a zip archive", "unpack it, and name the file in it", [0x50, 0x4b, 3, 4]),
    signature("a file compressed by xz", "decompress it with xz -d", [0xfd, 0x37, 0x7a, 0x58, 0x5a]),
    signature("a file compressed by bzip2", "decompress it with bzip2 -d", [0x42, 0x5a, 0x68]),
    signature("text in UTF-16", "convert it: iconv -f UTF-16 -t UTF-8", [0xff, 0xfe], [0xfe, 0xff]),
    signature("a recording of perf", "convert it: perf script -i FILE > FILE.txt", Array("PERFILE2".utf8)),
    signature("a recording of trace-cmd", "record with Perfetto instead", [0x17, 8, 0x44] + Array("tracing".utf8)),
    signature(
      "a recording of Sysprof", "record with perf instead: perf record -g, then perf script",
      [0x5e, 0x97, 0xca, 0xfd]),
    signature("a recording of Java's Flight Recorder", "convert it: jfrconv FILE FILE.collapsed", Array("FLR\0".utf8)),
    signature("a profile of gprof", "read it with gprof", Array("gmon".utf8)),
    signature("Go's execution trace", "record a CPU profile instead (runtime/pprof)", Array("go 1.".utf8)),
    // The numbers 0 and 3, of 64 bits each.
    signature(
      "a profile of gperftools", "convert it: pprof -proto PROGRAM FILE > FILE.pb.gz",
      [UInt8](repeating: 0, count: 8) + [3] + [UInt8](repeating: 0, count: 15)),
    // A dictionary with tuples of three as keys (marshal).
    signature(
      "a profile of Python's cProfile", "record with py-spy instead: py-spy record -f speedscope -o FILE -- PROGRAM",
      [0xfb, 0x29, 3], [0xfb, 0xa9, 3], [0x7b, 0x29, 3], [0x7b, 0xa9, 3]),
    signature("a program", "to launch it, write it after --: launchprof record -- FILE", [0x7f, 0x45, 0x4c, 0x46]),
    signature("an SQLite database", "name the trace from which it was made", Array("SQLite format 3".utf8)),
  ]

  /// The likeliest mistake. As JSON, CSV, page or text.
  private static let report = ForeignFormat(
    name: "a report of launchprof", advice: "name the trace from which it was made"
  ) { head in
    switch head.first {
    case UInt8(ascii: "{"): head.contains("\"schemaVersion\"") && head.contains("\"unit\"")
    case UInt8(ascii: "<"): head.contains("name=\"generator\" content=\"launchprof\"")
    default:
      ["thread,track,", "phase,", "library,", "id,unit,", "global,", "kind,type,", "name,category,", "counter,"]
        .contains {
          head.lines.first?.hasPrefix("launch,\($0)") == true
        } || ["by,name,unit,", "group,phase,"].contains { head.lines.first?.hasPrefix($0) == true }
        || head.contains("\n  More: launchprof report ")
    }
  }

  /// Each line is an object with the version of its format.
  private static let records = ForeignFormat(name: "a file of launch records", advice: "launchprof fleet reads it") {
    head in
    head.lines.first.map { $0.hasPrefix("{") && $0.contains("\"record\":") } ?? false
  }

  private static let reportOfRecords = json(
    "a report of launch records", "name the launch records from which it was made, after launchprof fleet",
    "\"schemaVersion\"", "\"sentences\"")

  private static let profiles = [
    json("a heap snapshot of V8", "it contains no times", "\"snapshot\"", "\"node_fields\""),
    json("a heap profile of V8", "it contains no times", "\"head\"", "\"selfSize\""),
    json(
      "a CPU profile of an old V8", "record it again: node --cpu-prof", "\"head\"", "\"functionName\"", "\"callUID\""),
    json(
      "JSON of perf data convert", "convert the recording itself: perf script -i FILE > FILE.txt",
      "\"linux-perf-json-version\""),
    json(
      "results of hyperfine", "record the launches: launchprof record -n 20 -- PROGRAM", "\"results\"", "\"stddev\""),
    json(
      "JSON of pyinstrument", "write another format: pyinstrument -r speedscope -o FILE PROGRAM", "\"root_frame\"",
      "\"sample_count\""),
    ForeignFormat(
      name: "statistics of the Swift compiler",
      advice: "record the compiler with perf: perf record -g, then perf script"
    ) { head in
      head.first == UInt8(ascii: "{") && ["AST", "Driver", "Frontend"].contains { head.contains("\"\($0).Num") }
    },
    json("OpenTelemetry's JSON", "export Chrome's trace format", "\"resourceSpans\""),
  ]

  /// Matches an object that contains all of these.
  private static func json(_ name: String, _ advice: String, _ marks: String...) -> ForeignFormat {
    ForeignFormat(name: name, advice: advice) { $0.first == UInt8(ascii: "{") && marks.allSatisfy($0.contains) }
  }

  /// Matches XML or a page that contains one of these.
  private static func page(_ name: String, _ advice: String, _ marks: String...) -> ForeignFormat {
    ForeignFormat(name: name, advice: advice) { $0.first == UInt8(ascii: "<") && marks.contains(where: $0.contains) }
  }

  /// Matches what contains one of these.
  private static func marked(_ name: String, _ advice: String, _ marks: String...) -> ForeignFormat {
    ForeignFormat(name: name, advice: advice) { marks.contains(where: $0.contains) }
  }

  private static let texts = [
    page("the table of contents of xctrace", "export a table: \(TimeProfileReader.export)", "<trace-toc>"),
    ForeignFormat(
      name: "text of sample or spindump",
      advice: "record with Instruments: xcrun xctrace record --template 'Time Profiler'"
    ) { $0.contains("Call graph:") && ($0.contains("Analysis of sampling ") || $0.contains("Date/Time:")) },
    page("systrace's page", "record with Perfetto instead", "systrace", "trace-data"),
    page("a picture (SVG)", "name the folded stacks from which it was drawn", "<svg"),
    marked("text of ftrace (systrace)", "record with Perfetto instead", "# tracer:", "TRACE:\n"),
    marked(
      "events of the Swift compiler", "record the compiler with perf: perf record -g, then perf script",
      "Time,Live,IsEntry,EventName"),
    ForeignFormat(name: "text of gprof", advice: "record with perf instead: perf record -g, then perf script") {
      $0.contains("Flat profile:") && $0.contains("Each sample counts as")
    },
    marked("text of pprof", "name the profile from which it was made", "flat  flat%"),
    marked(
      "text of perf report", "convert the recording: perf script -i FILE > FILE.txt",
      "# To display the perf.data header info"),
    marked(
      "text of uftrace", "convert the recording: uftrace dump --chrome > FILE.json", "# DURATION     TID     FUNCTION",
      "  Total time   Self time       Calls  Function", "# Function Call Graph for"),
    marked(
      "output of dyld (DYLD_PRINT_STATISTICS)", "record the launch with Instruments and export it",
      "Total pre-main time:"),
    ForeignFormat(name: "a profile of Massif", advice: "read it with ms_print") {
      $0.contains("desc: ") && $0.contains("\ntime_unit: ")
    },
    ForeignFormat(name: "a recording of heaptrack", advice: "read it with heaptrack_print") { head in
      head.lines.first?.hasPrefix("v ") == true && head.lines.dropFirst().first?.hasPrefix("X ") == true
    },
    marked("a profile of Callgrind", "read it with callgrind_annotate", "# callgrind format"),
    ForeignFormat(name: "stacks of bpftrace", advice: "fold them: stackcollapse-bpftrace.pl FILE > FILE.folded") {
      head in
      head.lines.contains { $0.hasPrefix("@") && $0.contains("[") } && head.lines.contains { $0.contains("]: ") }
    },
    ForeignFormat(
      name: "a difference of folded stacks (difffolded.pl)", advice: "name one of the files from which it was made"
    ) { FoldedReader.isDifference($0.lines.filter { !$0.isEmpty }) },
    ForeignFormat(name: "stacks of DTrace", advice: "fold them: stackcollapse.pl FILE > FILE.folded") { head in
      // A frame is `module`function+0x12`; the count has a line of its own.
      head.lines.contains { $0.first == " " && $0.contains("`") && $0.contains("+0x") }
        && head.lines.contains { $0.first == " " && Int($0.drop { $0 == " " }) != nil }
    },
    lines("output of LD_DEBUG", "launchprof record --detail loader times the loader") { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts.count == 2 && parts[1].first == "\t" && Int(parts[0].drop { $0 == " " }) != nil
    },
    marked(
      "a summary of strace, ltrace or perf trace", "launchprof record says what the program waited for",
      "% time     seconds  usecs/call"),
    lines("output of strace, ltrace or perf trace", "launchprof record says what the program waited for", isCall),
    lines(
      "output of perf script without threads or events", "print all fields, without -F: perf script > FILE.txt"
    ) { $0.first == "\t" && PerfScriptReader.isFrame($0) },
    lines("SQL", "name the trace from which it was made") { line in
      let word = line.drop { $0 == " " }.prefix { $0.isLetter }.uppercased()
      return ["SELECT", "INSERT", "CREATE", "PRAGMA", "BEGIN", "COMMIT", "DROP", "UPDATE"].contains(word)
    },
  ]

  /// Whether a line may be a call, `read(3, …) = 5`. Before it may be times, and the thread: `[pid 7]`.
  private static func isCall(_ line: Substring) -> Bool {
    let text = line.utf8
    let open = text.indices.first { place in
      text[place] == UInt8(ascii: "(") && place > text.startIndex
        && Character(Unicode.Scalar(text[text.index(before: place)])).isLetterNumberOrLine
    }
    if line.contains(" resumed>") { return true }
    guard let open, !line[..<open].contains(";") else { return false }
    return line.contains("<unfinished ...>") || line.ranges(of: " = ").last.map { open < $0.lowerBound } == true
  }

  /// Matches text in which most lines match.
  private static func lines(
    _ name: String, _ advice: String, _ isOne: @escaping @Sendable (Substring) -> Bool
  ) -> ForeignFormat {
    ForeignFormat(name: name, advice: advice) { head in
      let lines = head.lines.filter { !$0.isEmpty }
      return !lines.isEmpty && lines.count(where: isOne) * 2 > lines.count
    }
  }
}

extension Character {
  fileprivate var isLetterNumberOrLine: Bool { isASCII && (isLetter || isNumber || self == "_") }
}
