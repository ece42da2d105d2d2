/// Why a launch was recorded without something that can be asked for, for people. An empty text: nothing is missing.
public struct RecordingShortcomings: Sendable, Equatable {
  /// Times of libraries and initialisers, by the agent.
  public var loader = ""
  /// What threads waited for, by the kernel's scheduler.
  public var scheduling = ""
  /// Everything that perf events tell: stacks, other processes.
  public var observer = ""
  /// Files out of the page cache.
  public var cold = ""
}
