// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder

/// Why recording could not begin.
public struct LaunchProfilerError: Error, Sendable, CustomStringConvertible {
  public struct Code: Equatable, Sendable {
    fileprivate let number: Int

    @usableFromInline
    internal init(number: Int) { self.number = number }

    /// The program has already started to record.
    @_borrowed @_alwaysEmitIntoClient
    public static var alreadyStarted: Code { _read { yield Code(number: 1) } }
    /// The trace could not be created.
    @_borrowed @_alwaysEmitIntoClient
    public static var cannotCreateTrace: Code { _read { yield Code(number: 2) } }
  }

  @_borrowed public let code: Code
  /// The errno of the cause; 0 if there is none.
  @_borrowed public let errno: Int32
  /// Path of the trace; nil if it is in memory.
  @_borrowed public let path: String?
  private let isFork: Bool

  internal init(_ result: lr_start_result, path: String?) {
    self.path = path
    isFork = lr_status_get() == lr_status(LR_STATUS_FORKED)
    (code, errno) = result == LR_ALREADY_STARTED ? (.alreadyStarted, 0) : (.cannotCreateTrace, lr_status_errno())
  }

  public var description: String {
    switch code {
    case .alreadyStarted where isFork:
      "this process is a fork of one that called LaunchProfiler.start; call it once, after the fork"
    case .alreadyStarted: "LaunchProfiler.start was called before; call it once, early in main"
    default: path == "" ? emptyPath : "cannot create the launch trace \(path ?? "in memory"): \(reason); \(advice)"
    }
  }

  private var emptyPath: String { "the path of the launch trace is empty; name a new file, or record into memory" }

  private var advice: String {
    switch (Int(errno), path) {
    case (Int(LR_FILES_ARE_TOO_SMALL), _):
      "raise the limit of file sizes (ulimit -f) to 64 KiB, or record into memory"
    case (Int(LR_NO_WIPE_ON_FORK), _):
      "this kernel or sandbox lacks MADV_WIPEONFORK (Linux 4.14), without which nothing can be recorded"
    case (Int(LR_PATH_IS_A_DIRECTORY), let path?):
      "name a file in it, such as \(path)\(path.utf8.last == UInt8(ascii: "/") ? "" : "/")launch-{pid}.pftrace"
    case (Int(LR_ALL_NAMES_ARE_TAKEN), _?): "a path serves 99 launches: remove old traces, or choose a new path"
    case (_, nil): "free memory, or raise the limits of the process (ulimit -v)"
    default: "choose a new path, in a directory that is writable and has free space"
    }
  }

  private var reason: String {
    var text = [CChar](repeating: 0, count: 128)
    lr_error_text(errno, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
#endif
