// SPDX-License-Identifier: Apache-2.0

/// The threads of libdispatch, by which queue they serve. Tasks of Swift run on them, too.
///
/// Linux keeps 15 bytes of a thread's name, prctl(2). libdispatch sets the last 15 of the queue's label
/// (`src/shims/yield.h` and `src/queue.c`), so `com.apple.root.default-qos` is `oot.default-qos` there.
enum DispatchThreadName {
  private static let longest = 15
  private static let root = "com.apple.root."
  private static let classes = [
    "maintenance", "background", "utility", "default", "user-initiated", "user-interactive",
  ].map { $0 + "-qos" }

  private static let names: [String: String] = {
    var names = Dictionary(uniqueKeysWithValues: classes.map { (cut(root + $0), "dispatch " + $0) })
    // What is left of these labels is the same for all classes.
    names[cut("-qos.overcommit")] = "dispatch overcommit"
    names[cut("com.apple.libdispatch-manager")] = "dispatch manager"
    return names
  }()

  private static func cut(_ label: String) -> String { String(label.suffix(longest)) }

  /// `dispatch default-qos` for `oot.default-qos`. Other names are not changed.
  static func readable(_ name: String) -> String { names[name] ?? name }
}
