internal import Glibc
package import LaunchObserver
internal import LaunchSymbols

/// A directory for traces that are not kept. It is removed with this value.
package struct TemporaryTraces: ~Copyable {
  package let path: String

  /// - Throws: `LaunchError.cannotWrite`.
  package init() throws(LaunchError) { path = try makeTemporaryDirectory() }

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
