import Glibc

/// Makes a new directory below TMPDIR, else below /tmp. The caller removes it.
///
/// - Throws: `LaunchError.cannotWrite`.
package func makeTemporaryDirectory() throws(LaunchError) -> String {
  let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
  var template = Array("\(parent.isEmpty ? "/tmp" : parent)/launchprof-XXXXXX".utf8CString)
  guard let made = mkdtemp(&template) else {
    let error = errno
    throw LaunchError(
      .cannotWrite, path: parent,
      message: "cannot create a temporary directory: \(describe(error)); set TMPDIR to a directory that can be written",
      errno: error)
  }
  return String(cString: made)
}
