// SPDX-License-Identifier: Apache-2.0

/// A program that runs for what it writes. Call `finish` once.
package struct ToolProcess {
  private let process: pid_t
  private let output: Int32

  /// Where the standard error of the program goes.
  package enum Errors {
    /// Where ours goes.
    case shown
    case hidden
    /// Into the output.
    case read
  }

  /// Open files that the program reads.
  package struct Inputs {
    /// Its standard input.
    package var standard: Int32
    /// Its descriptor 3.
    package var third: Int32

    package init(standard: Int32, third: Int32) { (self.standard, self.third) = (standard, third) }
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - command: a path, or a name to look up in PATH; and arguments.
  ///   - inputs: nil for no input.
  ///   - errors: where its standard error goes.
  ///   - environment: its variables; nil for ours. Some could make it do something else, for example use the network.
  /// - Throws: `.pipe` or `.start`.
  package init(
    _ command: [String], inputs: Inputs? = nil, errors: Errors, environment: [[UInt8]]? = nil
  ) throws(ToolRun.Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .pipe(errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (error, process) = Self.spawn(command, inputs, errors, environment, output: ends[1])
    close(ends[1])
    guard error == 0 else {
      close(ends[0])
      throw .start(errno: error)
    }
    (self.process, output) = (process, ends[0])
  }

  private static func spawn(
    _ command: [String], _ inputs: Inputs?, _ errors: Errors, _ environment: [[UInt8]]?, output: Int32
  ) -> (error: Int32, process: pid_t) {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let inputs {
      posix_spawn_file_actions_adddup2(&actions, inputs.standard, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    switch errors {
    case .shown: break
    case .hidden: posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    case .read: posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    }
    // The last one, because any of the others may have this number.
    if let inputs { posix_spawn_file_actions_adddup2(&actions, inputs.third, 3) }
    // The launcher may have blocked signals.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let strings = command.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    #if canImport(Darwin)
    let environ = _NSGetEnviron().pointee
    #endif
    var process: pid_t = 0
    let variables = environment.map { $0.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) } + [nil] }
    defer { for variable in variables ?? [] { free(variable) } }
    let error =
      if let variables {
        posix_spawnp(&process, command[0], &actions, &attributes, strings, variables)
      } else {
        posix_spawnp(&process, command[0], &actions, &attributes, strings, environ)
      }
    return (error, process)
  }

  /// What it writes until it ends. It is killed once it has written more than `largest` bytes.
  ///
  /// - Parameter seconds: after this time it is killed. Then it is also killed if it goes on after the end of its output.
  package func finish(largest: Int, seconds: Int? = nil) -> ToolRun {
    let (bytes, isAtEnd) = read(largest, deadline: seconds.map { Self.now() + $0 })
    close(output)
    if !isAtEnd || seconds != nil { kill(process, SIGKILL) }
    var ending: Int32 = 0
    while waitpid(process, &ending, 0) < 0, errno == EINTR {}
    let status = ending & 0x7f == 0 ? (ending >> 8) & 0xff : 128 + (ending & 0x7f)
    return ToolRun(status: status, output: bytes, isComplete: isAtEnd)
  }

  private func read(_ largest: Int, deadline: Int?) -> (bytes: [UInt8], isAtEnd: Bool) {
    var bytes: [UInt8] = []
    while bytes.count <= largest {
      if let deadline {
        var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        let left = deadline - Self.now()
        if left <= 0 { return (bytes, false) }
        guard poll(&polled, 1, Int32(left) * 1000) > 0 else { continue }
      }
      let block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        filled = max(0, readSome(of: output, into: UnsafeMutableRawBufferPointer(buffer)))
      }
      if block.isEmpty { return (bytes, true) }
      bytes += block
    }
    return (bytes, false)
  }

  private static func now() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec
  }
}
