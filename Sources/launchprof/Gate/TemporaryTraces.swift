import ArgumentParser
import Glibc

/// A directory for traces that nobody wants to keep.
struct TemporaryTraces {
  let path: String

  /// - Throws: `ExitCode`, after telling why none can be made.
  init() throws {
    var template = Array("\(environment("TMPDIR") ?? "/tmp")/launchprof-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw fail("no directory for temporary files can be made: \(systemMessage(errno))", status: CommandStatus.failure)
    }
    path = String(cString: made)
  }

  func remove() {
    for name in ["base", "head"] {
      let directory = path + "/" + name
      for file in TraceArguments.traces(in: directory) { unlink(file) }
      rmdir(directory)
    }
    rmdir(path)
  }
}
