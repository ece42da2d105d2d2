// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A test's own Wayland compositor without a screen: cage, on wlroots' headless backend.
package final class WaylandDisplay {
  private let directory: TemporaryDirectory
  private let compositor: RunningProcess
  private static let name = "wayland-0"

  package init() throws {
    // The path has to fit into a socket's address, and cage must own the directory.
    directory = try TemporaryDirectory()
    // Cage ends when its program does, and that ends with its input. Cage refuses to run as root.
    let nobody: uid_t = 65534
    var command = ["cage", "--", "cat"]
    if geteuid() == 0 {
      chown(directory.path, nobody, nobody)
      command = ["setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"] + command
    }
    compositor = try RunningProcess.start(
      "/usr/bin/env", command,
      adding: [
        "XDG_RUNTIME_DIR": directory.path, "HOME": directory.path, "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
      ])
    let directory = directory
    do {
      try waitUntil("cage (Debian: cage, xwayland; scripts/test installs them) listens") {
        access(directory.appending(Self.name), F_OK) == 0
      }
    } catch {
      throw ToolFailure("\(error): \(try compositor.finish(timeout: 10).errorText)")
    }
  }

  deinit { _ = try? compositor.finish(timeout: 10) }

  /// For a GTK program that should use this display and nothing else of a desktop.
  package var environment: [String: String] {
    [
      "XDG_RUNTIME_DIR": directory.path, "WAYLAND_DISPLAY": Self.name, "GDK_BACKEND": "wayland",
      "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "DBUS_SESSION_BUS_ADDRESS": "disabled:", "DISPLAY": "",
    ]
  }
}
