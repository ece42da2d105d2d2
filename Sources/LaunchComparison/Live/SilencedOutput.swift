// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Discards standard output as long as this value exists, because launched programs and the result would share it.
/// Standard error is not changed.
struct SilencedOutput: ~Copyable {
  private let saved: Int32

  init() {
    // Launched programs must not inherit it.
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
