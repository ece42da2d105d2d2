// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle

/// Prints hello under the application host, and ends.
@main
final class Hello: ApplicationDelegate {
  static func makePresentationBackend() -> any PresentationBackend { HeadlessBackend(terminatesAfterLaunch: true) }

  init() {}

  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions) -> Bool {
    print("hello")
    let window = Window()
    window.rootViewController = ViewController()
    window.makeKeyAndVisible()
    return true
  }
}
