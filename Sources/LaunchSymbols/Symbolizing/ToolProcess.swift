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

  /// The standard output of the tool until it ended, or was ended at the time limit. Empty if it cannot run.
  func output() -> [UInt8] {
    var pipeEnds: [Int32] = [0, 0]
    guard pipe(&pipeEnds) == 0 else { return [] }
    let (reading, writing) = (pipeEnds[0], pipeEnds[1])
    defer { close(reading) }
    for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = spawn(output: writing)
    close(writing)
    guard let process else { return [] }
    let output = read(from: reading)
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
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

  private func read(from descriptor: Int32) -> [UInt8] {
    var output: [UInt8] = []
    let deadline = Self.seconds() + Self.timeLimit
    while output.count < Self.outputLimit {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = deadline - Self.seconds()
      if left <= 0 { return output }
      guard poll(&polled, 1, Int32(left) * 1000) > 0 else { continue }
      let block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        #if canImport(Darwin)
        filled = max(0, Darwin.read(descriptor, buffer.baseAddress, buffer.count))
        #elseif canImport(Glibc)
        filled = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        #else
        filled = max(0, Musl.read(descriptor, buffer.baseAddress, buffer.count))
        #endif
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
