// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

/// The directory of a program's state: `$XDG_STATE_HOME/<program>`, by default `~/.local/state/<program>`.
enum StateDirectory {
  static var path: String {
    if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return "\(base)/\(name)" }
    let home = variable("HOME") ?? ""
    // A service may have neither. It then uses the directory that systemd gives it, or one that lasts until the next
    // boot.
    if home.isEmpty || home == "/" {
      return String((variable("STATE_DIRECTORY") ?? shared).prefix { $0 != ":" })
    }
    return "\(home)/.local/state/\(name)"
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static var name: String { executable.split(separator: "/").last.map(String.init) ?? "program" }

  /// The directory of a program's state in a place where every user may make one.
  static var shared: String { "/var/tmp/\(name)-\(getuid())" }

  /// Another user may have made the shared directory before the program did, and could replace what is in it.
  ///
  /// - Throws: `cannotAccess` if the file is in it, and another user owns it or may write to it.
  static func check(_ path: String, isNotOfOthersIn shared: String) throws(LifecycleError) {
    guard path.hasPrefix(shared + "/") else { return }
    var status = stat()
    guard lstat(shared, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o022 == 0
    else {
      throw LifecycleError(
        .cannotAccess, path: shared,
        "is not a directory that only this user may write to; remove it, or set STATE_DIRECTORY to another one")
    }
  }

  /// What identifies the installation: the executable's path, or that of its AppImage. The runtime of an AppImage mounts it at
  /// another place in each launch, and says in the environment which file that is.
  static let installation: String = installation(of: executable, environment: variable)

  /// A program that an AppImage starts inherits the variables, but is elsewhere. An AppImage may contain several programs.
  static func installation(of executable: String, environment: (String) -> String?) -> String {
    // The variable may have a link or two slashes. The executable's path has neither.
    guard let mounted = environment("APPDIR").flatMap(resolved), executable.hasPrefix(mounted + "/"),
      let image = environment("APPIMAGE"), image.hasPrefix("/")
    else { return executable }
    return image + executable.dropFirst(mounted.count)
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The running executable.
  static let executable: String = {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return path(linkedTo: String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
  }()

  /// The path of a program in the text of /proc/self/exe. The kernel marks a file that an update has replaced.
  static func path(linkedTo text: String) -> String {
    let mark = " (deleted)"
    return text.hasSuffix(mark) && access(text, F_OK) != 0 ? String(text.dropLast(mark.count)) : text
  }
}
#endif
