// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LaunchAnalysis
internal import LaunchSystem

/// What a search has learned. It is written to a file at each step, so that an interrupted search can continue.
struct CommitSearchState {
  struct Start: Equatable {
    var step: StepBisection.Step
    var usesCPU: Bool
  }

  private let path: String
  private(set) var start: Start?
  /// By commit, in order.
  private(set) var batches: [(commit: String, differences: [Double])] = []

  private static let header = "launchprof-bisect\t1"

  /// Reads the file. Ignores an incomplete line, which an interruption may leave.
  init(path: String) {
    self.path = path
    let lines = (fileText(path, limit: 16 << 20) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    guard lines.first.map(String.init) == Self.header else { return }
    for line in lines.dropFirst() {
      let fields = line.split(separator: "\t").map(String.init)
      let numbers = fields.dropFirst(2).compactMap(Double.init)
      guard fields.count > 2, numbers.count == fields.count - 2, numbers.allSatisfy(\.isFinite) else { continue }
      if fields[0] == "step", numbers.count == 2 {
        start = Start(step: StepBisection.Step(size: numbers[0], spread: numbers[1]), usesCPU: fields[1] == "cpu")
      } else if fields[0] == "batch" {
        batches.append((fields[1], numbers))
      }
    }
  }

  mutating func begin(_ start: Start) throws(CommitError) {
    self.start = start
    try append("step\t\(start.usesCPU ? "cpu" : "wall")\t\(start.step.size)\t\(start.step.spread)", anew: true)
  }

  mutating func add(_ differences: [Double], of commit: String) throws(CommitError) {
    batches.append((commit, differences))
    try append("batch\t\(commit)\t" + differences.map { "\($0)" }.joined(separator: "\t"), anew: false)
  }

  func remove() { unlink(path) }

  private func append(_ line: String, anew: Bool) throws(CommitError) {
    let text = (anew ? Self.header + "\n" : "") + line + "\n"
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (anew ? O_TRUNC : O_APPEND), 0o666)
    defer { if file >= 0 { close(file) } }
    let bytes = Array(text.utf8)
    guard file >= 0, write(file, bytes, bytes.count) == bytes.count else {
      throw CommitError(code: .cannotWrite, subject: path, message: "cannot be written: \(systemMessage(errno))")
    }
  }
}
