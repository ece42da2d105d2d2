// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchLifecycle
import LaunchProfiler

extension ProgramDelegate {
  private static let signposter = LaunchSignposter(subsystem: "test.program", category: "launch")

  /// A diamond of tasks, an interval that could be deferred, and two that are.
  func doWork() {
    let graph = try? LaunchTaskGraph([
      LaunchTask("read") { usleep(3_000) },
      LaunchTask("parse", after: ["read"]) { usleep(9_000) },
      LaunchTask("fetch", after: ["read"]) { usleep(1_000) },
      .onMainThread("make menus", after: ["parse", "fetch"]) { usleep(2_000) },
    ])
    try? graph?.run()
    // Work of less than 2 % of the launch is not worth deferring, and a loaded machine makes the launch long.
    Self.signposter.withIntervalSignpost("count words") { _ = usleep(60_000) }
    LaunchProfiler.afterFirstFrame("tidy up", priority: .background) { say("work: tidy up") }
    LaunchProfiler.afterFirstFrame("load thumbnails", priority: .high) { @MainActor in
      say("work: load thumbnails")
      Task.detached(priority: .background) {
        try? await Task.sleep(nanoseconds: 20_000_000)
        await MainActor.run { Application.shared.terminate() }
      }
    }
  }

  /// Prints lines when the backend runs, and says on standard error that it still does.
  func printLater() {
    Task { @MainActor in
      for _ in 0..<5 {
        say("a line")
        fflush(nil)
        try? await Task.sleep(nanoseconds: 10_000_000)
      }
      _ = write(STDERR_FILENO, "still here\n", 11)
      Application.shared.terminate()
    }
  }

  /// Opens a window when the launch in the background is over, and ends the program when the window was shown.
  func askForAWindowLater() {
    LaunchProfiler.afterFirstFrame("ask for a window") { @MainActor in
      Application.shared.requestSceneSessionActivation()
      try? await Task.sleep(nanoseconds: 1_000_000)
      LaunchProfiler.fullyDrawn()
      Application.shared.terminate()
    }
  }
}
