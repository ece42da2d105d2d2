internal import Glibc

/// Standard output leads nowhere as long as this is there: launched programs write to it, and so do we, when the result is
/// known. Standard error is left as it is.
struct SilencedOutput: ~Copyable {
  private let saved: Int32

  init() {
    // Not for the programs that are launched.
    saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard saved >= 0, nowhere >= 0 else { return }
    dup2(nowhere, STDOUT_FILENO)
    close(nowhere)
  }

  deinit {
    guard saved >= 0 else { return }
    dup2(saved, STDOUT_FILENO)
    close(saved)
  }
}
