// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package launchprof …`: a thin door to the command itself.
///
/// SwiftPM ends with 1 whatever other than 0 a plugin ends with: where the exit status matters, call the executable.
@main
struct LaunchprofPlugin: CommandPlugin {
  /// Executes the command in place of the plugin: Ctrl-C ends only the plugin's own process.
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let command = try context.tool(named: "launchprof").url.path
    // The threads of SwiftPM block signals. The command and its programs would inherit that, and the pipes to SwiftPM.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    for file in try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap(Int32.init) where file > 2 {
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    }
    guard chdir(context.package.directoryURL.path) == 0 else { throw failure(context.package.directoryURL.path) }
    var words = ([command] + arguments).map { strdup($0) } + [nil]
    // Standard input is such a pipe, too, and tells of a failure.
    let (channel, nothing) = (fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), open("/dev/null", O_RDONLY | O_CLOEXEC))
    guard channel >= 0, nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0 else { throw failure("/dev/null") }
    execv(command, &words)
    let error = failure(command)
    dup2(channel, STDIN_FILENO)
    throw error
  }

  private func failure(_ path: String) -> POSIXError { POSIXError(POSIXError.Code(rawValue: errno) ?? .EINVAL) }
}
