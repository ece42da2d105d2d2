// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// An empty home directory, as a program finds it when a user launches it for the first time. It is kept after the
/// launch, so that the user can look into it.
struct FreshHome {
  let path: String

  /// - Throws: `LaunchError.cannotWrite`.
  init(in directory: String) throws(LaunchError) {
    guard !directory.isEmpty else {
      throw LaunchError(.cannotWrite, path: "--first-launch", message: "name a directory for the home directories")
    }
    let parent: String
    do throws(FileError) { parent = try absolutePath(directory) } catch { throw LaunchError(error) }
    do { try makeDirectories(parent) } catch {
      throw LaunchError(
        .cannotWrite, path: directory, message: "cannot create the directory: \(systemMessage(error.errno))",
        errno: error.errno)
    }
    do throws(FileError) { path = try makeTemporaryDirectory(in: parent, prefix: "home-") } catch {
      throw LaunchError(
        .cannotWrite, path: directory,
        message: "cannot create a home directory in it: \(systemMessage(error.errno)); name another directory",
        errno: error.errno)
    }
  }

  /// The variables that point to it: HOME, and the directories of the XDG Base Directory Specification except that of
  /// the session.
  func variables(_ environment: LaunchEnvironment) -> [String: String] {
    var variables = [
      "HOME": path, "XDG_CONFIG_HOME": "\(path)/.config", "XDG_DATA_HOME": "\(path)/.local/share",
      "XDG_STATE_HOME": "\(path)/.local/state", "XDG_CACHE_HOME": "\(path)/.cache",
    ]
    // The display's key belongs to the user, so the program must still find it.
    if environment["XAUTHORITY"] == nil, let home = environment["HOME"], isRegular("\(home)/.Xauthority") {
      variables["XAUTHORITY"] = "\(home)/.Xauthority"
    }
    return variables
  }
}
