// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The frames that the profiles of a file share.
struct SpeedscopeFrames {
  /// Strings are rows of `strings`.
  private struct Frame: Hashable {
    var name: Int32
    /// The source file; the image if it is not known, as speedscope does it with the libraries of perf.
    var file: Int32
    var line: UInt32
  }

  private var strings: NumberedStrings
  private var frames = NumberedRows<Frame>()

  /// - Parameter strings: those of a trace, which most of the frames may have.
  init(_ strings: StringTable) { self.strings = NumberedStrings(strings) }

  /// - Parameters:
  ///   - file: empty if it is not known.
  ///   - line: 0 if it is not known.
  mutating func row(name: String, file: String = "", line: UInt32 = 0) -> Int32 {
    frames.row(of: Frame(name: strings.row(of: name), file: strings.row(of: file), line: line))
  }

  func write(to json: inout JSONWriter) {
    json.objects("frames", frames.values) { json, frame in
      json.value("name", strings[frame.name])
      let file = strings[frame.file]
      if !file.isEmpty { json.value("file", file) }
      if frame.line > 0 { json.value("line", Int64(frame.line)) }
    }
  }
}
