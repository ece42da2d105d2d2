// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The name under which a process executed its program. The program's file may have another one, behind a symbolic link, and do
/// what the name says: redis-server, busybox.
enum ExecutedName {
  /// The kernel keeps this many bytes of a name (TASK_COMM_LEN, without its end).
  private static let kept = 15

  /// - Parameter path: the program's file.
  /// - Returns: nil if it is that of the file, or is not known.
  static func of(_ processID: Int32, path: String) -> String? {
    let folder = ProcessFiles.folder(processID)
    guard let name = ProcessFiles.name(in: folder), let line = fileText(folder + "/cmdline", limit: 4_096) else {
      return nil
    }
    return self.name(first: String(line.prefix { $0 != "\0" }), inKernel: name, path: path)
  }

  /// - Parameters:
  ///   - argument: the program's own argument. It may be any text.
  ///   - kernelName: the beginning of the name of the file that was executed: that of the link, or of the script.
  static func name(first argument: String, inKernel kernelName: String, path: String) -> String? {
    let name = fileName(argument)
    guard !name.isEmpty, !path.isEmpty, name != fileName(path), kernelName.utf8.elementsEqual(name.utf8.prefix(kept))
    else { return nil }
    return name
  }
}
