// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LaunchSystem
internal import LaunchTrace

/// A directory for traces that are not kept. It is removed with this value.
package struct TemporaryTraces: ~Copyable {
  package let path: String

  /// - Throws: `FileError`.
  package init() throws(FileError) { path = try makeTemporaryDirectory() }

  deinit {
    for name in ["base", "head"] {
      let directory = path + "/" + name
      for file in fileNames(in: directory) where file.hasSuffix(TraceFile.fileExtension) {
        unlink(directory + "/" + file)
      }
      rmdir(directory)
    }
    rmdir(path)
  }
}
