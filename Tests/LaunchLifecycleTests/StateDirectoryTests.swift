// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchLifecycle

struct StateDirectoryTests {
  /// After an update, the program that still runs must find its state.
  @Test func anUpdatedProgramKeepsItsPath() throws {
    let directory = try TemporaryDirectory()
    let program = directory.appending("program")
    #expect(StateDirectory.path(linkedTo: program) == program)
    #expect(StateDirectory.path(linkedTo: program + " (deleted)") == program)
    // A file may have such a name.
    let odd = try directory.write("", to: "odd (deleted)")
    #expect(StateDirectory.path(linkedTo: odd) == odd)
  }

  /// It is mounted at another place in each launch.
  @Test(arguments: ["", "/", "/."]) func anAppImageIsAnInstallation(end: String) throws {
    let directory = try TemporaryDirectory()
    let variables = ["APPDIR": directory.path + end, "APPIMAGE": "/home/a/app.AppImage"]
    let mounted = try #require(realpath(directory.path, nil))
    defer { free(mounted) }
    let inside = String(cString: mounted) + "/usr/bin/app"
    // It may contain several programs.
    #expect(StateDirectory.installation(of: inside) { variables[$0] } == "/home/a/app.AppImage/usr/bin/app")
    // A program that it starts has the same variables.
    #expect(StateDirectory.installation(of: "/usr/bin/other") { variables[$0] } == "/usr/bin/other")
    #expect(StateDirectory.installation(of: inside) { $0 == "APPDIR" ? "" : "/home/a/app.AppImage" } == inside)
    #expect(StateDirectory.installation(of: inside) { _ in nil } == inside)
  }
}
