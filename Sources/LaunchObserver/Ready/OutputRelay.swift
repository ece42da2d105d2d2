internal import CLaunchObserver
import Glibc

/// Passes on what the program writes, byte for byte, and looks at it: for the rules that ask for more than a watch on
/// the stream can tell.
///
/// Between the program and a terminal stands another terminal, else a pipe, so that the program buffers its output as it
/// would without us. When the reader of our output leaves, the program's end is closed, and it finds out as usual.
final class OutputRelay: ReadySource {
  private let search: OutputSearch
  private var channels: [OutputChannel]
  /// What stands for standard output and standard error in the program; -1 to leave a stream as it is.
  private(set) var output: Int32 = -1
  private(set) var error: Int32 = -1
  private var processID: Int32 = 0

  /// - Throws: `LaunchError.cannotLaunch` when there are no pipes or terminals left.
  init(_ search: OutputSearch) throws(LaunchError) {
    self.search = search
    channels = []
    if let channel = try OutputChannel(stream: STDOUT_FILENO) {
      channels.append(channel)
      output = channel.programEnd
    }
    guard search.isOfBothStreams else { return }
    if output >= 0, OutputChannel.isSame(STDOUT_FILENO, STDERR_FILENO) {
      // One place, one order.
      error = output
    } else if let channel = try OutputChannel(stream: STDERR_FILENO) {
      channels.append(channel)
      error = channel.programEnd
    }
  }

  var descriptors: [Int32] { channels.filter(\.isOpen).map(\.source) }
  var goesOn: Bool { true }

  func begin(processID: Int32, at time: Int64) {
    self.processID = processID
    for index in channels.indices { channels[index].closeProgramEnd() }
  }

  func look() -> ReadySignal? { passOn() }

  /// Descendants may have the stream open for ever: what is there is passed on, and no more.
  func finish() -> ReadySignal? {
    for index in channels.indices { channels[index].closeProgramEnd() }
    return passOn()
  }

  /// Every channel's, until nothing more is there.
  private func passOn() -> ReadySignal? {
    var signal: ReadySignal?
    for index in channels.indices {
      if channels[index].followSize(), processID > 0 { kill(processID, SIGWINCH) }
      while let bytes = channels[index].read() {
        let time = Int64(lo_now())
        channels[index].write(bytes)
        if let detail = search.look(at: bytes, channel: index), signal == nil {
          signal = ReadySignal(kind: search.kind, time: time, detail: detail)
        }
      }
    }
    return signal
  }
}

/// What is looked for in the output.
final class OutputSearch {
  private let regex: Regex<AnyRegexOutput>?
  /// The line so far, by channel.
  private var lines: [Int: [UInt8]] = [:]
  private var isFound = false

  /// Longer lines are looked at in pieces of this size.
  private static let longestLine = 4096

  /// - Parameter pattern: nil for the first byte.
  init(pattern: String?) { regex = pattern.flatMap { try? Regex($0) } }

  var kind: ReadySignal.Kind { regex == nil ? .output : .match }
  /// Programs write their first words about themselves to standard error as often as not.
  var isOfBothStreams: Bool { regex != nil }

  /// What was found in `bytes`, or in the line that they go on with; nil from the second time on.
  func look(at bytes: ArraySlice<UInt8>, channel: Int) -> String? {
    guard !isFound else { return nil }
    guard let regex else {
      isFound = true
      return ""
    }
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if line.offset > 0 { lines[channel] = [] }
      lines[channel, default: []] += line.element
      let text = String(decoding: lines[channel] ?? [], as: UTF8.self)
      if text.contains(regex) {
        isFound = true
        return String(text.prefix(200)).trimmingEnd()
      }
      if text.utf8.count > Self.longestLine { lines[channel] = [] }
    }
    return nil
  }
}

extension String {
  fileprivate func trimmingEnd() -> String {
    var text = self[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
