// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Passes on what the program writes, byte for byte, and looks at it. Needed for rules that a watch on the stream
/// cannot decide.
///
/// The program gets a terminal if its output is one, otherwise a pipe, so that it buffers its output as it would
/// without the launcher. If the reader of our output closes it, the relay closes the program's end, and the program
/// gets the usual error. When there is nothing more to look for, the kernel moves the bytes (splice(2)) where it can.
final class OutputRelay: ReadySource {
  private let search: OutputSearch
  private var channels: [OutputChannel]
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  /// The program's standard output and standard error; -1 leaves a stream as it is.
  private(set) var output: Int32 = -1
  private(set) var error: Int32 = -1
  /// A pidfd: the program may have ended already, and another process may have its id.
  private var process: Int32 = -1

  /// The most bytes of one stream that are passed on before other work gets a turn.
  private static let turn = 1 << 20

  /// - Throws: `LaunchError.cannotLaunch` if there are no pipes or terminals left.
  init(_ search: OutputSearch) throws(LaunchError) {
    self.search = search
    channels = []
    if let channel = try OutputChannel(stream: STDOUT_FILENO) {
      channels.append(channel)
      output = channel.programEnd
    }
    guard search.isOfBothStreams else { return }
    if output >= 0, isSameFile("/proc/self/fd/1", "/proc/self/fd/2") {
      // Both streams have the same target: one relay keeps their order.
      error = output
    } else if let channel = try OutputChannel(stream: STDERR_FILENO) {
      channels.append(channel)
      error = channel.programEnd
    }
  }

  deinit {
    for index in channels.indices { channels[index].close() }
    if process >= 0 { Glibc.close(process) }
    buffer.deallocate()
  }

  var descriptors: [Int32] { channels.filter(\.isOpen).map(\.source) }
  var goesOn: Bool { true }

  /// The size of the window is checked then, to follow it.
  func pause(after elapsed: Int64) -> Int64? { output >= 0 || error >= 0 ? 100_000_000 : nil }

  var evidence: ReadyGap.Evidence? { search.evidence }

  /// Why some output could not be passed on, errno; 0 if all was.
  var refusal: Int32 { channels.map(\.refusal).max() ?? 0 }

  func begin(_ program: lo_launched) {
    // The relay may outlive the launch.
    process = fcntl(program.pidfd, F_DUPFD_CLOEXEC, 0)
    for index in channels.indices { channels[index].closeProgramEnd() }
  }

  func look() -> ReadySignal? { passOn { _ in Self.turn } }

  /// The program has ended, so all its output is in the pipe and is passed on. Descendants may keep the pipe open and
  /// write for ever, so no more bytes are passed on than the pipe can hold.
  func finish() -> ReadySignal? {
    for index in channels.indices { channels[index].closeProgramEnd() }
    return passOn(\.capacity)
  }

  /// Passes on the output of every channel, until there is no more or its limit of bytes is reached.
  private func passOn(_ limit: (OutputChannel) -> Int) -> ReadySignal? {
    var signal: ReadySignal?
    for index in channels.indices {
      if channels[index].followSize() { _ = lo_signal_process(process, SIGWINCH) }
      var left = limit(channels[index])
      while left > 0 {
        if search.isFound, let moved = channels[index].move(left) {
          if moved == 0 { break }
          left -= moved
          continue
        }
        let bytes = channels[index].read(into: buffer, atMost: left)
        let time = Int64(lo_now())
        if bytes.isEmpty { break }
        left -= bytes.count
        channels[index].write(bytes)
        if let detail = search.look(at: bytes, channel: index), signal == nil {
          signal = ReadySignal(kind: search.kind, time: time, detail: detail)
        }
      }
    }
    return signal
  }
}
