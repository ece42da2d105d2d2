// SPDX-License-Identifier: Apache-2.0

/// The frames that a file's profiles share, each once.
struct SpeedscopeFrames {
  struct Frame: Hashable {
    var name: String
    var file = ""
    var line: UInt32 = 0
  }

  private var frames: [Frame] = []
  private var rows: [Frame: Int64] = [:]

  mutating func row(of frame: Frame) -> Int64 {
    if let row = rows[frame] { return row }
    let row = Int64(frames.count)
    frames.append(frame)
    rows[frame] = row
    return row
  }

  func write(to json: inout JSONWriter) {
    json.objects("frames", frames) { json, frame in
      json.value("name", frame.name)
      if !frame.file.isEmpty { json.value("file", frame.file) }
      if frame.line > 0 { json.value("line", Int64(frame.line)) }
    }
  }
}
