// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Foreign traces outside the package: `../shared/data/traces`, described by its MANIFEST.csv.
public enum SharedData {
  /// The entry of one trace in MANIFEST.csv; nil where a cell is empty or NULL.
  public struct ForeignTrace: Sendable, CustomStringConvertible {
    public let file: String
    public let path: String
    public let slices: Int?
    public let sliceDuration: Int64?
    public let unfinished: Int?
    public let threads: Int?
    public let counters: Int?
    public let samples: Int?
    public var description: String { file }
  }

  private static let directory = PackageRoot.appending("../shared/data/traces")

  /// The path of a trace; nil if the folder is absent. Then the test reports that it was passed over.
  public static func path(_ file: String, test: String = #function) throws -> String? {
    try isPresent(test) ? directory + "/" + file : nil
  }

  /// Every trace of the manifest; empty if the folder is absent.
  public static func foreignTraces(test: String = #function) throws -> [ForeignTrace] {
    guard try isPresent(test) else { return [] }
    let manifest = String(decoding: try contents(directory + "/MANIFEST.csv"), as: UTF8.self)
    let lines = manifest.split(whereSeparator: \.isNewline)
    guard lines.count > 1 else { throw ToolFailure("\(directory)/MANIFEST.csv has no rows") }
    guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) else { return [] }
    return try lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      func cell(_ name: String) throws -> String {
        guard let column = header.firstIndex(where: { $0 == name }) else {
          throw ToolFailure("\(directory)/MANIFEST.csv has no column \(name)")
        }
        return String(cells[column])
      }
      return try ForeignTrace(
        file: cell("file"), path: directory + "/" + cell("file"), slices: Int(cell("slices")),
        sliceDuration: Int64(cell("slice_dur_ns")), unfinished: Int(cell("unfinished")),
        threads: Int(cell("threads")), counters: Int(cell("counters")), samples: Int(cell("samples")))
    }
  }

  /// False, with a printed line, if the folder is absent. An error if `LAUNCHPROF_REQUIRE_SHARED=1` is set.
  public static func isPresent(_ test: String = #function) throws -> Bool {
    if access(directory + "/MANIFEST.csv", R_OK) == 0 { return true }
    if Tools.environment("LAUNCHPROF_REQUIRE_SHARED") == "1" {
      throw ToolFailure("\(directory) is absent, and LAUNCHPROF_REQUIRE_SHARED=1 asks for it")
    }
    print("PASSED OVER: \(test) needs the foreign traces of \(directory), which are not here")
    return false
  }
}
