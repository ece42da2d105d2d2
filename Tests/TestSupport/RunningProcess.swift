// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Glibc

/// A child process that was started and is not yet waited for. Use it from one thread.
public final class RunningProcess {
  public let processID: pid_t
  private let inputDescriptor: Int32
  private let outputDescriptor: Int32
  private let errorDescriptor: Int32
  private var status: Int32?

  private init(processID: pid_t, input: Int32, output: Int32, error: Int32) {
    self.processID = processID
    inputDescriptor = input
    outputDescriptor = output
    errorDescriptor = error
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
    }
  }

  /// Starts `executable` with pipes for its three standard streams. See `TestProcess.run` for the parameters.
  public static func start(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    adding: [String: String] = [:], directory: String? = nil
  ) throws -> RunningProcess {
    // The parent of the tests may ignore SIGCHLD. Then a child's end could not be seen.
    _ = Glibc.signal(SIGCHLD, SIG_DFL)
    let input = try pipe()
    let output = try pipe()
    let error = try pipe()
    let variables = (environment ?? TestProcess.currentEnvironment).merging(adding) { $1 }
    var processID = pid_t()
    let code = withCStrings([executable] + arguments) { argv in
      withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
        ct_spawn(&processID, executable, argv, envp, directory, [input.reading, output.writing, error.writing])
      }
    }
    for descriptor in [input.reading, output.writing, error.writing] { close(descriptor) }
    guard code == 0 else {
      for descriptor in [input.writing, output.reading, error.reading] { close(descriptor) }
      throw ToolFailure("\(executable): \(String(cString: strerror(code)))")
    }
    return RunningProcess(
      processID: processID, input: input.writing, output: output.reading, error: error.reading)
  }

  public func signal(_ number: Int32) { kill(processID, number) }

  /// Stops all its threads with SIGSTOP, and returns when they have stopped.
  public func stop() throws {
    var status: Int32 = 0
    signal(SIGSTOP)
    guard waitpid(processID, &status, WUNTRACED) == processID, status & 0xff == 0x7f else {
      self.status = status
      throw ToolFailure("the program ended before it could be stopped")
    }
  }

  /// Writes a line to its standard input, and returns the line that it then prints, without its end.
  ///
  /// Its standard error is not read meanwhile. Nil if it ends, or if it has not printed a line after `timeout` seconds.
  public func ask(_ line: [UInt8], timeout: Double) -> [UInt8]? {
    _ = Glibc.signal(SIGPIPE, SIG_IGN)
    var unwritten = line[...]
    while !unwritten.isEmpty {
      let written = unwritten.withUnsafeBytes { write(inputDescriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return nil }
      unwritten = unwritten.dropFirst(written)
    }
    var answer: [UInt8] = []
    let deadline = seconds() + timeout
    while answer.last != UInt8(ascii: "\n") {
      var polled = pollfd(fd: outputDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 100)
      if polled.revents != 0, readAvailable(outputDescriptor, &answer) <= 0 { return nil }
      if seconds() > deadline { return nil }
    }
    return answer.dropLast()
  }

  /// Feeds `input`, drains both outputs and waits for the end. Kills the child after `timeout` seconds.
  ///
  /// A grandchild that keeps the pipes open does not delay this, even if it continues to write; its later output is
  /// lost. If SIGKILL does not end the child within ten seconds, this gives up.
  public func finish(input: [UInt8] = [], timeout: Double = 300) throws -> TestProcess {
    _ = Glibc.signal(SIGPIPE, SIG_IGN)
    var unwritten = input[...]
    var output = Drain(outputDescriptor)
    var error = Drain(errorDescriptor)
    var inputIsOpen = true
    // A child closes its pipes a moment before it can be waited for. Without its end, poll(2) would not return at once.
    var end = ProcessEnd(of: processID)
    defer {
      end.close()
      if inputIsOpen { close(inputDescriptor) }
      output.close()
      error.close()
    }
    _ = fcntl(inputDescriptor, F_SETFL, O_NONBLOCK)
    let deadline = seconds() + timeout
    var timedOut = false
    // A grandchild that writes again and again is heard until then.
    var farewell = deadline
    while status == nil || output.isOpen || error.isOpen {
      if inputIsOpen && unwritten.isEmpty {
        close(inputDescriptor)
        inputIsOpen = false
      }
      if status == nil && !timedOut && seconds() > deadline {
        timedOut = true
        signal(SIGKILL)
      }
      if seconds() > deadline + 10 {
        status = status ?? 0
        break
      }
      var polled = [output.polled, error.polled, end.polled]
      if inputIsOpen { polled.append(pollfd(fd: inputDescriptor, events: Int16(POLLOUT), revents: 0)) }
      poll(&polled, nfds_t(polled.count), status == nil ? 20 : 100)
      // Each is read: after the end of the child, the first look takes all that it has written.
      let progress = [output.read(polled[0]), error.read(polled[1])].contains(true)
      if inputIsOpen && polled[3].revents != 0 {
        let written = unwritten.withUnsafeBytes { write(inputDescriptor, $0.baseAddress, $0.count) }
        if written < 0 && errno != EAGAIN { unwritten = [] }
        if written > 0 { unwritten = unwritten.dropFirst(written) }
      }
      if status == nil {
        reap()
        farewell = seconds() + 1
      } else if !progress || seconds() > farewell {
        break
      }
      // It stays readable, also while the child cannot be waited for because another process traces it.
      if status != nil || polled[2].revents != 0 { end.close() }
    }
    return TestProcess(
      outcome: outcome(timedOut: timedOut), output: output.bytes, errorOutput: error.bytes)
  }

  private func reap() {
    var status: Int32 = 0
    if waitpid(processID, &status, WNOHANG) == processID { self.status = status }
  }

  private func outcome(timedOut: Bool) -> TestProcess.Outcome {
    if timedOut { return .timedOut }
    let status = status ?? 0
    return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var descriptors: [Int32] = [0, 0]
    let code = ct_pipe(&descriptors)
    guard code == 0 else { throw ToolFailure("pipe: \(String(cString: strerror(code)))") }
    return (descriptors[0], descriptors[1])
  }

  private static func withCStrings<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(&pointers)
  }
}

/// One end of a pipe, read until its end.
private struct Drain {
  private let descriptor: Int32
  private(set) var isOpen = true
  private(set) var bytes: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  var polled: pollfd { pollfd(fd: isOpen ? descriptor : -1, events: Int16(POLLIN), revents: 0) }

  /// Reads what is available; true if there was something.
  mutating func read(_ polled: pollfd) -> Bool {
    guard isOpen, polled.revents != 0 else { return false }
    let count = readAvailable(descriptor, &bytes)
    if count <= 0 { close() }
    return count > 0
  }

  mutating func close() {
    if isOpen { Glibc.close(descriptor) }
    isOpen = false
  }
}

/// What poll(2) finds readable once a process has ended. Old kernels have no such descriptor; poll(2) ignores -1.
private struct ProcessEnd {
  private var descriptor: Int32

  init(of processID: pid_t) { descriptor = ct_open_process(processID) }

  var polled: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }

  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}

/// Appends what read(2) returns; its result.
private func readAvailable(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
  withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count > 0 { bytes += buffer.prefix(count) }
    return count
  }
}

private func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
