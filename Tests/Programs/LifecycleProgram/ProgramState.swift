// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchLifecycle

/// The program's state is its number of launches; a scene's state is its title.
extension ProgramDelegate {
  func application(_ application: Application, willEncodeRestorableStateWith coder: StateCoder) {
    coder.encode(.integer(launches), forKey: "launches")
    // A large state, so that writing it takes a while.
    if Mode.current == .saving { coder.encode(.data([UInt8](repeating: 7, count: 200_000)), forKey: "ballast") }
    say("state: encode \(launches)")
  }

  func application(_ application: Application, didDecodeRestorableStateWith coder: StateCoder) {
    launches = (coder.decode(forKey: "launches")?.integer ?? 0) + 1
    say("state: decode \(launches - 1)")
    if Mode.current == .crash { kill(getpid(), SIGKILL) }
  }

  func application(_ application: Application, didSetAsideState error: LifecycleError) {
    say("state: set aside: \(error)")
  }
}

extension ProgramSceneDelegate {
  func stateRestorationActivity(for scene: WindowScene) -> UserActivity? {
    environment("LIFECYCLE_STATE").map { _ in UserActivity(activityType: "reading", userInfo: ["page": 7]) }
  }

  func scene(_ scene: WindowScene, restoreInteractionStateWith activity: UserActivity) {
    say("state: scene \(activity.activityType) \(activity.userInfo["page"]?.integer ?? 0)")
  }
}

func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
