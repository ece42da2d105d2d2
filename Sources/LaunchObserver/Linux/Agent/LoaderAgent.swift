// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
import Glibc
internal import LaunchSystem

/// The agent, which the dynamic loader loads into a launched program on request. From inside it records what the
/// launcher cannot see: when each library was mapped and relocated, and how long each initialiser took. See Agent/.
package struct LoaderAgent: Sendable, Equatable {
  /// Path of the agent's library.
  package let path: String

  static let fileName = LS_PATH_AGENT
  /// The environment variable that names another path.
  package static let variable = "LAUNCHPROF_AGENT"

  /// Searches the path in `LAUNCHPROF_AGENT`, the command's directory, and `../lib/launchprof` from there.
  ///
  /// - Throws: `LaunchError.cannotLaunch` if it is in none of these places.
  package init() throws(LaunchError) {
    if let named = LaunchEnvironment()[Self.variable], !named.isEmpty {
      guard let found = Self.absolute(named) else {
        throw LaunchError(
          .cannotLaunch, path: named,
          message:
            "\(Self.variable) names this file as the agent, but it does not exist; build it with scripts/build-agent",
          errno: ENOENT)
      }
      path = found
      return
    }
    let command = linkTarget("/proc/self/exe") ?? ""
    let directory = directoryName(command)
    let places = ["\(directory)/\(Self.fileName)", "\(directory)/../lib/launchprof/\(Self.fileName)"]
    guard let found = places.lazy.compactMap(Self.absolute).first else {
      throw LaunchError(
        .cannotLaunch, path: places[0],
        message:
          "the agent is neither here nor in \(directory)/../lib/launchprof; install it from a release, build it with scripts/build-agent, or name it in \(Self.variable)",
        errno: ENOENT)
    }
    path = found
  }

  /// nil for a path with a colon, which the loader reads as a separator.
  private static func absolute(_ path: String) -> String? {
    guard isRegular(path), let real = realPath(path), !real.contains(":") else { return nil }
    return real
  }

  /// A sentence that says why the agent recorded nothing.
  static func explainSilence(of path: String, images: ImageCache) -> String {
    if let reason = Privileges.gained(by: path) { return reason + ", so the loader accepts no agent for it" }
    let head = ExecutableHead(path: path)
    let program = head.isScript ? head.interpreter ?? path : path
    guard let image = images.image(program) else { return "it is not a 64-bit program for this machine" }
    if image.interpreter == nil { return "it is linked statically, so no loader can load the agent" }
    return
      "its loader cannot load the agent: only glibc's loader can, on the architecture for which the agent was built"
  }
}
