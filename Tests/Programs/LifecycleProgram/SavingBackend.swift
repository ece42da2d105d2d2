// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchLifecycle

/// Shows its window, then leaves the foreground and returns, endlessly. Each time the state is saved.
final class SavingBackend: PresentationBackend {
  func show(_ window: Window) {}
  func stop() {}

  func run(_ host: any PresentationHost) {
    _ = host.launched()
    guard let window = Application.shared.windows.first, let delegate = Application.shared.delegate as? ProgramDelegate
    else { return }
    host.framePresented(PresentedFrame(), in: window)
    while true {
      delegate.launches += 1
      host.resignActive()
      host.enterBackground()
      // In one write, immediately, because the test reads how far the program came.
      let line = "saved \(delegate.launches)\n"
      _ = write(STDOUT_FILENO, line, line.utf8.count)
      host.enterForeground()
      host.becomeActive()
    }
  }
}
