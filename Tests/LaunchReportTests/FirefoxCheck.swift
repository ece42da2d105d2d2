// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What Firefox Profiler's loader and panels require of a processed profile, version 60, compared by hand with its
/// types and upgraders. Columns of a table have equal lengths, references exist, and markers' kinds have a schema.
struct FirefoxCheck {
  private let profile: [String: Any]
  private var found: [String] = []

  static func violations(_ text: String) throws -> [String] {
    guard let profile = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
      return ["not an object"]
    }
    var check = FirefoxCheck(profile: profile)
    check.checkMeta()
    check.checkShared()
    check.checkThreads()
    return check.found
  }

  private init(profile: [String: Any]) { self.profile = profile }

  private var meta: [String: Any] { profile["meta"] as? [String: Any] ?? [:] }
  private var shared: [String: Any] { profile["shared"] as? [String: Any] ?? [:] }
  private func table(_ name: String) -> [String: Any] { shared[name] as? [String: Any] ?? [:] }
  private func length(_ name: String) -> Int { table(name)["length"] as? Int ?? -1 }
  private var strings: Int { (shared["stringArray"] as? [String])?.count ?? 0 }
  private var categories: [[String: Any]] { meta["categories"] as? [[String: Any]] ?? [] }

  private mutating func require(_ isTrue: Bool, _ what: String) { if !isTrue { found.append(what) } }

  /// Checks a table's columns: the stated number of rows, numbers within a range, and null only where it is allowed.
  private mutating func check(
    _ table: [String: Any], _ name: String, _ columns: [String: Range<Int>?], nullable: Set<String> = []
  ) {
    guard let length = table["length"] as? Int else { return found.append("\(name).length") }
    for (column, range) in columns {
      guard let values = table[column] as? [Any], values.count == length else {
        found.append("\(name).\(column)")
        continue
      }
      guard let range else { continue }
      for value in values {
        let isFine = (value as? NSNumber).map { range.contains($0.intValue) } ?? nullable.contains(column)
        if !isFine {
          found.append("\(name).\(column): \(value)")
          break
        }
      }
    }
  }

  private mutating func checkMeta() {
    require(meta["preprocessedProfileVersion"] as? Int == 60, "meta.preprocessedProfileVersion")
    for key in ["interval", "startTime", "processType", "stackwalk", "version"] {
      require(meta[key] is NSNumber, "meta.\(key)")
    }
    require(meta["product"] is String, "meta.product")
    require(categories.contains { $0["color"] as? String == "grey" }, "a grey category")
    for category in categories {
      require((category["subcategories"] as? [String])?.first == "Other", "subcategories of \(category)")
    }
    for schema in meta["markerSchema"] as? [[String: Any]] ?? [] {
      let fields = schema["fields"] as? [[String: Any]] ?? [[:]]
      require(schema["name"] is String && schema["display"] is [String], "a marker schema")
      require(fields.allSatisfy { $0["key"] is String && $0["format"] is String }, "fields of \(schema["name"] ?? "")")
    }
  }

  private mutating func checkShared() {
    let stacks = table("stackTable")
    check(
      stacks, "stackTable", ["frame": 0..<length("frameTable"), "prefix": 0..<length("stackTable")],
      nullable: ["prefix"])
    for (row, prefix) in (stacks["prefix"] as? [Any] ?? []).enumerated() {
      if let prefix = prefix as? Int { require(prefix < row, "a stack before its caller: \(row)") }
    }
    check(
      table("frameTable"), "frameTable",
      [
        "address": nil, "inlineDepth": 0..<1, "category": 0..<categories.count, "subcategory": 0..<1,
        "func": 0..<length("funcTable"), "nativeSymbol": 0..<0, "innerWindowID": 0..<0, "line": 1..<(1 << 31),
        "column": 0..<0,
      ], nullable: ["nativeSymbol", "innerWindowID", "line", "column"])
    check(
      table("funcTable"), "funcTable",
      [
        "name": 0..<strings, "isJS": nil, "relevantForJS": nil, "resource": -1..<length("resourceTable"),
        "source": 0..<length("sources"), "lineNumber": 0..<0, "columnNumber": 0..<0,
      ], nullable: ["source", "lineNumber", "columnNumber"])
    let libraries = (profile["libs"] as? [[String: Any]])?.count ?? 0
    check(
      table("resourceTable"), "resourceTable",
      ["lib": 0..<libraries, "name": 0..<strings, "host": 0..<0, "type": 0..<6], nullable: ["host"])
    check(table("sources"), "sources", ["uuid": nil, "filename": 0..<strings])
    check(table("nativeSymbols"), "nativeSymbols", ["libIndex": nil, "address": nil, "name": nil, "functionSize": nil])
  }

  private mutating func checkThreads() {
    let threads = profile["threads"] as? [[String: Any]] ?? []
    require(!threads.isEmpty, "threads")
    require(Set(threads.compactMap { $0["tid"] as? String }).count == threads.count, "a thread's id comes twice")
    let kinds = (meta["markerSchema"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    for (place, thread) in threads.enumerated() {
      require(thread["name"] is String && thread["pid"] is String && thread["isMainThread"] is Bool, "thread \(place)")
      let samples = thread["samples"] as? [String: Any] ?? [:]
      check(samples, "samples", ["stack": 0..<length("stackTable"), "time": nil, "weight": nil])
      require(
        ["samples", "tracing-ms", "bytes"].contains(samples["weightType"] as? String ?? ""), "weightType")
      let markers = thread["markers"] as? [String: Any] ?? [:]
      check(
        markers, "markers",
        [
          "data": nil, "name": 0..<strings, "startTime": nil, "endTime": nil, "phase": 0..<2,
          "category": 0..<categories.count,
        ])
      for data in markers["data"] as? [[String: Any]] ?? [] {
        require(kinds.contains(data["type"] as? String ?? ""), "a marker without a schema: \(data)")
      }
      let times = zip(markers["startTime"] as? [Double] ?? [], markers["endTime"] as? [Any] ?? [])
      require(times.allSatisfy { start, end in (end as? Double).map { $0 >= start } ?? true }, "a marker ends early")
    }
  }
}
