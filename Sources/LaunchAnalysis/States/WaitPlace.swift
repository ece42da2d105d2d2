// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Where a thread began to wait, or was seen by a sample.
package struct WaitPlace: Equatable {
  /// The outermost first, without those with which every program and every thread begins. The last one is what the program's
  /// own code calls: the system call says what comes inside of it.
  package var functions: [String]
  /// The innermost function of the program's own code; nil if there is none.
  package var own: String?
  /// Where that function called the next one; nil if the trace does not say.
  package var file: String?
  package var line: Int?

  /// The innermost function that says something to a reader: the program's own, if there is one.
  var innermost: String? { own ?? functions.last.map(ShortName.of) }

  /// - Parameter row: of `Trace.stacks`.
  init(_ trace: Trace, stack row: Int32, owner: CodeOwner) {
    self.init(trace, row, owner, skipsCLibrary: Self.isStatic(trace, row, owner))
    // A program may have nothing but functions with such names.
    if own == nil { self.init(trace, row, owner, skipsCLibrary: false) }
  }

  /// Whether the program's own file has the function that entered the kernel: the C library is linked into it.
  private static func isStatic(_ trace: Trace, _ row: Int32, _ owner: CodeOwner) -> Bool {
    row >= 0 && owner.isOwn(image: trace.strings[StringID(rawValue: trace.stacks[Int(row)].image)])
  }

  private init(_ trace: Trace, _ row: Int32, _ owner: CodeOwner, skipsCLibrary: Bool) {
    functions = []
    for row in trace.stacks.caller.chain(from: Int(row)) {
      let (name, frame) = (trace.name(ofFrame: row), trace.stacks[row])
      let isEntry = EntryFrames.names.contains(String(name.prefix { $0 != "@" }))
      if own != nil, isEntry { break }
      functions.append(name)
      // The C library of a static program has no lines.
      if skipsCLibrary, own == nil, frame.file == 0, SystemCall.isOfCLibrary(name) { continue }
      let (image, file) = (StringID(rawValue: frame.image), StringID(rawValue: frame.file))
      // `_start` is in the program's file, and says as little as a library's function. `main` says something.
      if own == nil, !isEntry || name == "main",
        owner.isOwn(image: trace.strings[image], function: name, file: trace.strings[file])
      {
        own = ShortName.of(name)
        if frame.file != 0 { self.file = trace.strings[file] }
        if frame.line > 0 { line = Int(frame.line) }
        functions = functions.suffix(2)
      }
    }
    functions.reverse()
  }
}

extension LaunchTimeline {
  /// Where a wait was called; nil if the trace does not say.
  package func place(of wait: Wait) -> WaitPlace? { context.histories.place(of: wait.track, at: wait.start) }
}
