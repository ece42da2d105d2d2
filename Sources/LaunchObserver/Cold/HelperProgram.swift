// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// A short program that runs for its output.
struct HelperProgram {
  /// Its time limit, ms.
  private static let patience: Int32 = 10_000
  private static let mostBytes = 1 << 20

  private let pid: pid_t
  /// The reading end of its standard output.
  private let source: Int32

  /// Starts it; nil if it cannot run. `output` must follow.
  ///
  /// - Parameter variables: changes to its environment.
  init?(_ program: String, _ arguments: [String], variables: [String: String] = [:]) {
    var (source, programEnd): (Int32, Int32) = (-1, -1)
    guard lo_pipe(&source, &programEnd) == 0 else { return nil }
    let pid = Self.start(program, arguments, variables, output: programEnd)
    close(programEnd)
    guard let pid else {
      close(source)
      return nil
    }
    (self.pid, self.source) = (pid, source)
  }

  /// Waits for its end, and returns its standard output. nil if it fails, writes too much, or is silent for too long.
  func output() -> String? {
    defer { close(source) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count <= Self.mostBytes {
      var input = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
      let ready = poll(&input, 1, Self.patience)
      if ready < 0, errno == EINTR { continue }
      let count = ready > 0 ? block.withUnsafeMutableBytes { readSome(of: source, into: $0) } : -1
      if count < 0 { kill(pid, SIGKILL) }
      if count <= 0 { break }
      bytes += block.prefix(count)
    }
    if bytes.count > Self.mostBytes { kill(pid, SIGKILL) }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status == 0 && bytes.count <= Self.mostBytes ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private static func start(
    _ program: String, _ arguments: [String], _ changes: [String: String], output: Int32
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let list = CStringList([Array(program.utf8)] + arguments.map { Array($0.utf8) })
    // Preloaded and audit libraries are meant for the launched program only.
    let variables = CStringList(
      LaunchEnvironment().entries(with: changes).filter { !$0.starts(with: "LD_AUDIT=".utf8) })
    var pid = pid_t()
    let error = posix_spawn(&pid, program, &actions, nil, list.pointer, variables.pointer)
    withExtendedLifetime((list, variables)) {}
    return error == 0 ? pid : nil
  }
}
