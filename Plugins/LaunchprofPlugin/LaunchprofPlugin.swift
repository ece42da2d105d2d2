// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package launchprof …`: a thin door to the command itself.
///
/// SwiftPM ends with 1 whatever other than 0 a plugin ends with: where the exit status matters, call the executable.
@main
struct LaunchprofPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let command = Process()
    command.executableURL = try context.tool(named: "launchprof").url
    command.arguments = arguments
    command.currentDirectoryURL = context.package.directoryURL
    try command.run()
    command.waitUntilExit()
    guard command.terminationStatus != 0 else { return }
    Diagnostics.error("launchprof ended with \(command.terminationStatus); SwiftPM changes that to 1")
    exit(command.terminationStatus)
  }
}
