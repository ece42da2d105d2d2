// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A test's own X display: Xvfb.
package final class XDisplay {
  /// Value of `DISPLAY`.
  package let name: String
  private let server: RunningProcess

  /// - Parameter refusesUsers: whether only those who know its secret may connect: nobody.
  package init(in directory: TemporaryDirectory, refusesUsers: Bool = false) throws {
    let file = directory.appending("display")
    var options: [String] = []
    if refusesUsers {
      // Xau(3): family, address, number, name, data, each of the last four with its length before it.
      try directory.write("\u{1}\0\0\0\0\0\0\u{12}MIT-MAGIC-COOKIE-1\0\u{10}sixteen  letters", to: "secret")
      options = ["-auth", directory.appending("secret")]
    }
    server = try RunningProcess.start(
      "/bin/sh",
      ["-c", "exec Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp \"$@\" 3> \"$0\" > /dev/null 2>&1", file]
        + options)
    for _ in 0..<9_000 {
      if let number = (try? contents(file)).map({ String(decoding: $0, as: UTF8.self) }), number.hasSuffix("\n") {
        name = ":" + number.dropLast()
        return
      }
      usleep(20_000)
    }
    throw ToolFailure("Xvfb did not start: is it installed? scripts/test does that (Debian: xvfb)")
  }

  /// From now on it accepts connections and does not answer.
  package func hang() throws { try server.stop() }

  deinit {
    server.signal(SIGCONT)
    server.signal(SIGTERM)
    _ = try? server.finish(timeout: 10)
  }

  /// For a GTK program that should use this display and nothing else of a desktop.
  package var environment: [String: String] {
    [
      "DISPLAY": name, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
      "DBUS_SESSION_BUS_ADDRESS": "disabled:", "WAYLAND_DISPLAY": "",
    ]
  }
}
