// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// A unit of work of the launch, with the names of the tasks that it needs.
public struct LaunchTask: Sendable {
  enum Work: Sendable {
    case anywhere(@Sendable () throws -> Void)
    case mainThread(@MainActor @Sendable () throws -> Void)
  }

  public let name: StaticString
  /// The names of the tasks that must end before this one begins.
  public let dependencies: [String]
  let work: Work

  /// Creates a task that runs off the main thread.
  public init(_ name: StaticString, after dependencies: [String] = [], _ work: @escaping @Sendable () throws -> Void) {
    self.name = name
    self.dependencies = dependencies
    self.work = .anywhere(work)
  }

  private init(_ name: StaticString, _ dependencies: [String], _ work: Work) {
    self.name = name
    self.dependencies = dependencies
    self.work = work
  }

  /// Creates a task that runs on the main thread.
  public static func onMainThread(
    _ name: StaticString, after dependencies: [String] = [], _ work: @escaping @MainActor @Sendable () throws -> Void
  ) -> LaunchTask { LaunchTask(name, dependencies, .mainThread(work)) }

  var isForMainThread: Bool { if case .mainThread = work { true } else { false } }
}
#endif
