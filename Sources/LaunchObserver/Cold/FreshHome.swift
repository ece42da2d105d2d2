import Glibc

/// A home directory with nothing in it: what a program finds when a user launches it for the first time. It stays, to be
/// looked at.
struct FreshHome {
  let path: String

  /// - Throws: `LaunchError.cannotWrite`.
  init(in directory: String) throws(LaunchError) {
    guard !directory.isEmpty else {
      throw LaunchError(.cannotWrite, path: "--first-launch", message: "name a directory for the home directories")
    }
    let parent = directory.hasPrefix("/") ? directory : currentDirectory() + "/" + directory
    do { try makeDirectories(parent) } catch {
      throw LaunchError(
        .cannotWrite, path: directory, message: "cannot create the directory: \(describe(error.errno))",
        errno: error.errno)
    }
    var name = Array("\(parent)/home-XXXXXX".utf8CString)
    guard let made = mkdtemp(&name) else {
      throw LaunchError(
        .cannotWrite, path: directory,
        message: "cannot create a home directory in it: \(describe(errno)); name another directory",
        errno: errno)
    }
    path = String(cString: made)
  }

  /// What points to it: HOME, and the directories of the XDG Base Directory Specification but for the one of the session.
  func variables(_ environment: LaunchEnvironment) -> [String: String] {
    var variables = [
      "HOME": path, "XDG_CONFIG_HOME": "\(path)/.config", "XDG_DATA_HOME": "\(path)/.local/share",
      "XDG_STATE_HOME": "\(path)/.local/state", "XDG_CACHE_HOME": "\(path)/.cache",
    ]
    // The key to the display is the user's, not the program's.
    if environment["XAUTHORITY"] == nil, let home = environment["HOME"], isRegular("\(home)/.Xauthority") {
      variables["XAUTHORITY"] = "\(home)/.Xauthority"
    }
    return variables
  }
}
