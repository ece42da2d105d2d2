// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// Lazy globals as slices of the threads that initialised them: docs/trace-format.md, "Lazy globals".
extension ThreadSlice {
  /// - Parameters:
  ///   - function: the initialiser, and `name` is what it is called.
  ///   - callers: names, innermost first.
  init(_ initialization: GlobalInitializations.Initialization, function: StackFrame, name: String, callers: [String]) {
    var values: [(key: String, value: AnnotationValue)] = [
      (LS_KEY_NAME, .string(name)), (LS_KEY_IMAGE, .string(function.image)),
      (LS_KEY_OFFSET, .pointer(function.address)), (LS_KEY_TOKEN, .pointer(initialization.token)),
      (LS_KEY_CALLERS, .array(callers.map(AnnotationValue.string))),
      (LS_KEY_CALLS_INSIDE, .uint(UInt64(initialization.call.callsInside))),
    ]
    if initialization.isWait { values.append((LS_KEY_IS_WAIT, .bool(true))) }
    self.init(
      initialization.call, name: initialization.isWait ? "waiting for " + name : name, category: LS_CATEGORY_GLOBAL,
      values)
  }
}
