// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Creates the application and its delegate, performs the launch, and runs the event loop. Mirrors `UIApplicationMain`.
///
/// docs/lifecycle.md documents the order of the calls. Each call is a phase of the launch.
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
  let sequence = LaunchSequence(arguments: arguments)
  do {
    return try sequence.run(principalClass ?? Application.self, delegateClass, backend)
  } catch {
    tellOnStandardError("\(arguments.first ?? "application"): \(error)")
    return 1
  }
}

/// Prints a line, with control characters replaced.
func tellOnStandardError(_ message: String) {
  let plain = message.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{fffd}" : Character($0) }
  let line = Array((String(plain) + "\n").utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

func exitProcess(_ status: Int32) -> Never { exit(status) }
#endif
