// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// A unit of work of the launch, with the names of the tasks that it needs.
public struct LaunchTask: Sendable {
  public let name: StaticString
  /// The names of the tasks that must end before this one begins.
  public let dependencies: [String]
  let isForMainThread: Bool
  let work: @Sendable () throws -> Void
}

extension LaunchTask {
  /// Creates a task that runs off the main thread.
  public init(_ name: StaticString, after dependencies: [String] = [], _ work: @escaping @Sendable () throws -> Void) {
    self.init(name: name, dependencies: dependencies, isForMainThread: false, work: work)
  }

  /// Creates a task that runs on the main thread.
  public static func onMainThread(
    _ name: StaticString, after dependencies: [String] = [], _ work: @escaping @MainActor @Sendable () throws -> Void
  ) -> LaunchTask {
    // Only the main thread takes it.
    LaunchTask(name: name, dependencies: dependencies, isForMainThread: true) {
      try MainActor.assumeIsolated { try work() }
    }
  }
}
#endif
