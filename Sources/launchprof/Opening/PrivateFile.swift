import ArgumentParser
import Glibc

/// Files that no other user of this machine may read.
enum PrivateFile {
  /// A file in a directory of its own. It is not removed, because a browser reads it after launchprof has ended.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func kept(name: String) throws -> (path: String, descriptor: Int32) {
    var template = Array("\(directory)/launchprof-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw cannotMake(errno) }
    let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } + "/" + name
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw cannotMake(errno) }
    return (path, descriptor)
  }

  /// A file without a name, which disappears when it is closed.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func nameless() throws -> Int32 {
    var template = Array("\(directory)/launchprof-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw cannotMake(errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return descriptor
  }

  private static var directory: String { environment("TMPDIR") ?? "/tmp" }

  private static func cannotMake(_ error: Int32) -> ExitCode {
    fail("no file can be made in \(directory): \(systemMessage(error)); set TMPDIR", status: CommandStatus.failure)
  }
}
