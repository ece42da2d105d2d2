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
  /// - Throws: `LaunchError.cannotLaunch` if it is in none of these places, or if the loader could not load it.
  package init() throws(LaunchError) {
    let named = LaunchEnvironment()[Self.variable] ?? ""
    let directory = directoryName(linkTarget("/proc/self/exe") ?? "")
    let places =
      named.isEmpty
      ? ["\(directory)/\(Self.fileName)", "\(directory)/../lib/launchprof/\(Self.fileName)"] : [named]
    guard let found = places.lazy.compactMap(Self.file).first else {
      throw LaunchError(
        .cannotLaunch, path: places[0],
        message: named.isEmpty
          ? "the agent is neither here nor in \(directory)/../lib/launchprof; install it from a release, build it with "
            + "scripts/build-agent, or name it in \(Self.variable)"
          : "\(Self.variable) names this file as the agent, but it does not exist; build it with scripts/build-agent",
        errno: ENOENT)
    }
    path = found
    try checkFile()
  }

  private static func file(_ path: String) -> String? { isRegular(path) ? realPath(path) : nil }

  /// What the loader does not load, it names only in the program's output.
  private func checkFile() throws(LaunchError) {
    func refuse(_ message: String, _ code: Int32) -> LaunchError {
      LaunchError(.cannotLaunch, path: path, message: message, errno: code)
    }
    // LD_AUDIT separates paths by colons.
    if path.contains(":") {
      throw refuse(
        "the loader cannot load an agent whose path has a colon; name a copy elsewhere in \(Self.variable)", EINVAL)
    }
    guard access(path, R_OK) == 0 else {
      let code = errno
      throw refuse("the agent cannot be read: \(systemMessage(code))", code)
    }
    let head = ExecutableHead(path: path)
    guard head.isOfProgram, !head.isScript else {
      throw refuse("the agent is not a library; build it with scripts/build-agent", ENOEXEC)
    }
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
