// SPDX-License-Identifier: Apache-2.0

/// Which source a thread's (process's) name comes from: a better one replaces it, a worse one does not.
struct NamePriorities {
  enum Source: UInt8 {
    case ftrace, processTree, threadType, descriptor
  }

  private var sources: [TrackID: Source] = [:]

  mutating func name(_ track: TrackID, _ name: StringID, from source: Source, _ builder: inout TraceBuilder) {
    if name == .empty || track == builder.beyond { return }
    if let known = sources[track], known.rawValue > source.rawValue { return }
    sources[track] = source
    // The kernel's names of threads have 15 bytes. In a crafted file, a thousand threads may share a long one.
    let short = source == .ftrace ? Trace.short(builder.trace.strings[name]) : nil
    let name = short.map { builder.string($0) } ?? name
    builder.trace.tracks[Int(track.rawValue)].name = name
    let it = builder.trace.tracks[Int(track.rawValue)]
    if it.kind == .process, let row = builder.processes[it.processID] {
      builder.trace.processes[row].name = builder.trace.strings[name]
    }
  }
}
