// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle
import Testing

struct ServerBackendTests {
  private actor Listener {
    func count() -> Int { ServerBackend.activatedSockets.count }
  }

  /// A service of swift-service-lifecycle does not run on the main actor.
  @Test func anActorAsksForItsSockets() async { #expect(await Listener().count() == 0) }
}
