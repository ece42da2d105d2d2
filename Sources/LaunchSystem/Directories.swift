// SPDX-License-Identifier: Apache-2.0

/// The names in a directory, in no order; empty if it cannot be read.
package func fileNames(in directory: String) -> [String] { (try? fileNames(ofReadable: directory)) ?? [] }

/// The names in a directory, in no order.
///
/// - Parameter limit: the number of names after which it stops.
/// - Throws: `FileError` if the directory cannot be read.
package func fileNames(ofReadable directory: String, limit: Int = .max) throws(FileError) -> [String] {
  guard let stream = opendir(directory) else {
    throw FileError(path: directory, errno: errno, message: systemMessage(errno))
  }
  defer { closedir(stream) }
  var names: [String] = []
  while names.count < limit, let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Makes a directory, and those above it, unless they exist.
///
/// - Throws: `FileError` with the path of the directory that cannot be made.
package func makeDirectories(_ path: String) throws(FileError) {
  var made = path.hasPrefix("/") ? "/" : ""
  for component in path.split(separator: "/") {
    made += component + "/"
    guard mkdir(made, 0o777) != 0, !(errno == EEXIST && isDirectory(made)) else { continue }
    let error = errno
    if error == EEXIST || !isDirectory(made) {
      throw FileError(path: made, errno: error, message: systemMessage(error))
    }
  }
}

/// Makes a new directory that only this user may read. The caller removes it.
///
/// - Parameter parent: nil for `temporaryDirectory`.
/// - Throws: `FileError`.
package func makeTemporaryDirectory(
  in parent: String? = nil, prefix: String = "launchprof-"
) throws(FileError) -> String {
  let parent = parent ?? temporaryDirectory
  var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
  guard let made = mkdtemp(&template) else {
    let error = errno
    throw FileError(
      path: parent, errno: error,
      message:
        "cannot create a temporary directory: \(systemMessage(error)); set TMPDIR to a directory that can be written")
  }
  return String(cString: made)
}

/// Removes a directory and all in it, or as much as it can.
package func removeTree(_ path: String) { _ = try? ToolRun(["rm", "-rf", "--", path], largest: 0, errors: .hidden) }

/// TMPDIR, or /tmp if that is not set, or empty.
package var temporaryDirectory: String {
  guard let directory = getenv("TMPDIR"), directory.pointee != 0 else { return "/tmp" }
  return String(cString: directory)
}
