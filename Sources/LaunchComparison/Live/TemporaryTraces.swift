internal import Glibc
package import LaunchObserver
internal import LaunchSymbols

/// A directory for traces that are not kept. It is removed with this value.
package struct TemporaryTraces: ~Copyable {
  package let path: String

  /// - Throws: `LaunchError.cannotWrite`.
  package init() throws(LaunchError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(parent.isEmpty ? "/tmp" : parent)/launchprof-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      let error = errno
      throw LaunchError(
        .cannotWrite, path: parent,
        message:
          "cannot create a temporary directory: \(systemMessage(error)); set TMPDIR to a directory that can be written",
        errno: error)
    }
    path = String(cString: made)
  }

  deinit {
    for name in ["base", "head"] {
      let directory = path + "/" + name
      for file in fileNames(in: directory) where file.hasSuffix(TracePlace.fileExtension) {
        unlink(directory + "/" + file)
      }
      rmdir(directory)
    }
    rmdir(path)
  }
}
