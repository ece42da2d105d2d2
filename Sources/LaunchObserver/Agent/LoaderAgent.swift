import Glibc

/// The agent that the loader loads into a launched program on request, and says from inside what the launcher cannot see:
/// when each library was mapped and relocated, how long each initialiser took. See Agent/.
package struct LoaderAgent: Sendable, Equatable {
  /// Of the library.
  package let path: String

  static let fileName = "launchprof-agent.so"
  /// Names another place for it.
  package static let variable = "LAUNCHPROF_AGENT"

  /// Finds it: where `LAUNCHPROF_AGENT` says, beside the command, or in `../lib/launchprof` from there.
  ///
  /// - Throws: `LaunchError.cannotLaunch` when it is in none of these places.
  package init() throws(LaunchError) {
    if let named = LaunchEnvironment()[Self.variable], !named.isEmpty {
      guard let found = Self.absolute(named) else {
        throw LaunchError(
          .cannotLaunch, path: named,
          message: "there is no agent, though \(Self.variable) names it; build it with scripts/build-agent",
          errno: ENOENT)
      }
      path = found
      return
    }
    let command = linkTarget("/proc/self/exe") ?? ""
    let directory = command.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let places = ["\(directory)/\(Self.fileName)", "\(directory)/../lib/launchprof/\(Self.fileName)"]
    guard let found = places.lazy.compactMap(Self.absolute).first else {
      throw LaunchError(
        .cannotLaunch, path: places[0],
        message:
          "the agent is not beside the command; build it with scripts/build-agent, or name it in \(Self.variable)",
        errno: ENOENT)
    }
    path = found
  }

  /// The loader takes a colon for the end of a name.
  private static func absolute(_ path: String) -> String? {
    guard isRegular(path), let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    let text = String(cString: real)
    return text.contains(":") ? nil : text
  }

  /// Why the agent said nothing of a launch; for people.
  static func explainSilence(of path: String, images: ImageCache) -> String {
    if let reason = Privileges.gained(by: path) { return reason + ": the loader takes no agent for it" }
    let head = ExecutableHead(path: path)
    let program = head.isScript ? head.interpreter ?? path : path
    guard let image = images.image(program) else { return "it is no 64-bit program of this machine" }
    if image.interpreter == nil { return "it is linked statically, so no loader runs that could load the agent" }
    return "its loader loads no auditors: only glibc's does, for the machine that the agent was built for"
  }
}
