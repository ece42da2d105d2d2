// SPDX-License-Identifier: Apache-2.0

import LaunchTrace

/// How many events of each name this package's reader finds on each thread of a trace.
struct ThreadEvents {
  /// Slices that ended.
  private(set) var slices: [Int32: [String: Int]] = [:]
  private(set) var unfinished: [Int32: Int] = [:]
  private(set) var instants: [Int32: [String: Int]] = [:]

  /// An async slice counts for the thread that began it.
  init(_ trace: Trace) {
    for slice in 0..<trace.slices.count {
      let track = trace.slices.asyncThreads[slice]?.begin ?? trace.slices.track[slice]
      guard track >= 0 else { continue }
      let thread = trace.tracks[Int(track)].threadID
      if trace.slices.duration[slice] == SliceTable.unfinished {
        unfinished[thread, default: 0] += 1
      } else {
        slices[thread, default: [:]][trace.string(trace.slices.name[slice]), default: 0] += 1
      }
    }
    for instant in 0..<trace.instants.count {
      let thread = trace.tracks[Int(trace.instants.track[instant])].threadID
      instants[thread, default: [:]][trace.string(trace.instants.name[instant]), default: 0] += 1
    }
  }

  func slices(_ name: String, on thread: Int32) -> Int { slices[thread]?[name] ?? 0 }
  func instants(_ name: String, on thread: Int32) -> Int { instants[thread]?[name] ?? 0 }
}

extension Trace {
  func string(_ id: UInt32) -> String { strings[StringID(rawValue: id)] }

  /// The annotations of the first instant of a category.
  func annotations(category: String) -> [String: AnnotationValue] {
    for instant in 0..<instants.count where string(instants.category[instant]) == category {
      let entries = annotations[instants.annotation[instant]]
      return Dictionary(entries.map { (strings[$0.key], $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    return [:]
  }
}
