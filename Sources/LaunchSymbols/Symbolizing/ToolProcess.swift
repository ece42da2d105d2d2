// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One run of an external tool, without input, messages and environment (a variable could make it use the network).
struct ToolProcess {
  private let path: String
  private let arguments: [String]

  /// Time limit in seconds.
  private static let timeLimit = 30
  private static let outputLimit = 256 << 20

  init(_ path: String, _ arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  /// The standard output of each tool until it ended, or was ended at the time limit. Empty for one that cannot run.
  /// As many run at once as there are processors.
  static func outputs(of tools: [ToolProcess]) -> [[UInt8]] {
    let most = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    var outputs: [[UInt8]] = []
    var running: [(process: pid_t, output: Int32)?] = []
    for tool in tools {
      if running.count - outputs.count >= most { outputs.append(finish(running[outputs.count])) }
      running.append(tool.start())
    }
    while outputs.count < running.count { outputs.append(finish(running[outputs.count])) }
    return outputs
  }

  private func start() -> (process: pid_t, output: Int32)? {
    var pipeEnds: [Int32] = [0, 0]
    guard pipe(&pipeEnds) == 0 else { return nil }
    for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = spawn(output: pipeEnds[1])
    close(pipeEnds[1])
    if process == nil { close(pipeEnds[0]) }
    return process.map { ($0, pipeEnds[0]) }
  }

  private static func finish(_ running: (process: pid_t, output: Int32)?) -> [UInt8] {
    guard let running else { return [] }
    let output = read(from: running.output)
    close(running.output)
    kill(running.process, SIGKILL)
    var status: Int32 = 0
    while waitpid(running.process, &status, 0) < 0, errno == EINTR {}
    return output
  }

  private func spawn(output: Int32) -> pid_t? {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // The launcher may have blocked signals.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let strings = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var process = pid_t()
    return posix_spawn(&process, path, &actions, &attributes, strings, &environment) == 0 ? process : nil
  }

  private static func read(from descriptor: Int32) -> [UInt8] {
    var output: [UInt8] = []
    let deadline = seconds() + timeLimit
    while output.count < outputLimit {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = deadline - seconds()
      if left <= 0 { return output }
      guard poll(&polled, 1, Int32(left) * 1000) > 0 else { continue }
      let block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        filled = max(0, readSome(of: descriptor, into: UnsafeMutableRawBufferPointer(buffer)))
      }
      if block.isEmpty { return output }
      output += block
    }
    return output
  }

  private static func seconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec
  }
}
