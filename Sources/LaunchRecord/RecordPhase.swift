// SPDX-License-Identifier: Apache-2.0

/// All phases with one name in a launch. Times are in ns.
package struct RecordPhase: Sendable, Equatable {
  /// Their total time; nil if one of them had not ended.
  package private(set) var time: Int64? = 0
  /// When the phase began, from process start; nil if there was more than one.
  package private(set) var onlyStart: Int64?
  private var count = 0

  package init() {}

  /// - Parameter time: nil if it had not ended.
  package mutating func add(start: Int64, time: Int64?) {
    self.time = self.time.flatMap { all in time.map { all + $0 } }
    count += 1
    onlyStart = count == 1 ? start : nil
  }
}
