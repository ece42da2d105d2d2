// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder
internal import LaunchPlatform

/// Creates the application and its delegate, performs the launch, and runs the event loop. Mirrors `UIApplicationMain`.
///
/// docs/lifecycle.md documents the order of the calls. Each call is a phase of the launch.
///
/// Call it from a synchronous `main`, or before the first `await` of an async one. After that, Dispatch runs the main
/// actor. The host's event loop would hold it, so that none of its tasks would run.
///
/// - Parameters:
///   - argc: the number of arguments.
///   - argv: the arguments, beginning with the program's name.
///   - principalClass: the application's class; nil for `Application`.
///   - delegateClass: the delegate's class; nil if the application is its own delegate.
///   - backend: the backend; nil for the one that the delegate creates.
/// - Returns: the exit status after the application has terminated: 0, or 1 if the backend could not show anything.
// swift-format-ignore: AlwaysUseLowerCamelCase
@MainActor
@discardableResult
public func ApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClass: Application.Type?,
  _ delegateClass: (any ApplicationDelegate.Type)?, backend: (any PresentationBackend)? = nil
) -> Int32 {
  let arguments = (0..<Int(argc)).compactMap { argv[$0].map { String(cString: $0) } }
  if lr_main_actor_has_left(lr_main_queue_owner()) {
    tellOnStandardError(
      "ApplicationMain was called after an async main had suspended, so no task of the main actor runs; "
        + "call it before the first await", arguments)
  }
  let sequence = LaunchSequence(arguments: arguments)
  do {
    return try sequence.run(principalClass ?? Application.self, delegateClass, backend)
  } catch {
    tellOnStandardError("\(error)", arguments)
    return 1
  }
}

/// Prints a line after the program's name, with control characters replaced. Without a reader, the program goes on.
func tellOnStandardError(_ message: String, _ arguments: [String]) {
  let text = "\(arguments.first ?? "application"): \(message)"
  let plain = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{fffd}" : Character($0) }
  let line = Array((String(plain) + "\n").utf8)
  lr_write_quietly(STDERR_FILENO, line, line.count)
}

func exitProcess(_ status: Int32) -> Never { exit(status) }
#endif
