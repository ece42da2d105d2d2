// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchLifecycle

@MainActor struct WindowTests {
  @Test func aWindowThatWasNeverShownCanBeClosed() {
    let window = Window()
    #expect(Application.shared.windows.contains { $0 === window })
    window.close()
    #expect(!Application.shared.windows.contains { $0 === window })
  }
}
