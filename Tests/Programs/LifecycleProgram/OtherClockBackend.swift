// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle

/// Says that its first frame was on the screen at a time of another clock, then ends the program.
final class OtherClockBackend: PresentationBackend {
  private let time = environment("LIFECYCLE_FRAME_TIME").flatMap(UInt64.init)

  func show(_ window: Window) {}
  func stop() {}

  func run(_ host: any PresentationHost) {
    _ = host.launched()
    guard let window = Application.shared.windows.first else { return }
    host.framePresented(PresentedFrame(time: time, source: .presentation), in: window)
    host.terminate()
  }
}
