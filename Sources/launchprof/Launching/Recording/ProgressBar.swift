// SPDX-License-Identifier: Apache-2.0

import LaunchObserver

/// Shows the progress of a series on a terminal.
///
/// If the program's output also goes to the terminal, there is no bar: it would erase a last line without an end.
struct ProgressBar {
  private let runs: Int
  private let isShown: Bool

  private static let width = 30

  /// - Parameter runs: the number of runs, including warm-ups.
  init(runs: Int, isQuiet: Bool) {
    self.runs = runs
    isShown = runs > 1 && !isQuiet && StandardStream.error.canRedraw && !StandardStream.output.isTerminal
  }

  /// `done` launches are over and `run` is about to begin.
  func starting(_ run: PlannedRun, done: Int) {
    guard isShown else { return }
    let filled = Self.width * done / runs
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
    let what = run.isWarmup ? "warm-up" : "run"
    draw("[\(bar)] \(what) \(run.number) of \(run.count)")
  }

  func clear() { if isShown { draw("") } }

  private func draw(_ text: String) { _ = StandardStream.error.write("\r\u{1b}[K" + text) }
}
