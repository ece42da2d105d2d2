import Glibc
import LaunchObserver

/// `-o` names something that takes a trace but does not give it back: /dev/null, a pipe. The trace is made in a temporary
/// file, from which it is named and reported, and then handed over.
final class DeviceOutput {
  /// Where the trace is to be made.
  let file: String
  private let directory: String
  /// As it was named.
  let device: String

  /// nil when `output` is a file, a directory, or nothing yet.
  ///
  /// - Throws: `LaunchError.cannotWrite` when no temporary file can be made.
  init?(_ output: String?) throws(LaunchError) {
    var facts = stat()
    guard let output, stat(output, &facts) == 0, ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT) else {
      return nil
    }
    let parent = environment("TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/launchprof-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw LaunchError(
        .cannotWrite, path: parent, message: "no temporary file can be made: \(systemMessage(errno)); set TMPDIR",
        errno: errno)
    }
    device = output
    directory = String(cString: made)
    file = directory + "/trace" + TracePlace.fileExtension
  }

  deinit {
    unlink(file)
    rmdir(directory)
  }

  /// Returns 0 or errno.
  func handOver() -> Int32 {
    let (source, target) = (open(file, O_RDONLY | O_CLOEXEC), open(device, O_WRONLY | O_CLOEXEC))
    defer {
      if source >= 0 { close(source) }
      if target >= 0 { close(target) }
    }
    guard source >= 0, target >= 0 else { return errno }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { block.deallocate() }
    while true {
      let count = read(source, block.baseAddress, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : 0 }
      let error = writeAll(target, UnsafeRawBufferPointer(rebasing: block[..<count]))
      if error != 0 { return error }
    }
  }
}
