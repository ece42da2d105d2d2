/// Why a launch was recorded without something that can be asked for, for people. An empty text: nothing is missing.
package struct RecordingShortcomings: Sendable, Equatable {
  /// Times of libraries and initialisers, by the agent.
  package var loader = ""
  /// What threads waited for, by the kernel's scheduler.
  package var scheduling = ""
  /// Lazy globals, by probes.
  package var globals = ""
  /// Everything that perf events tell: stacks, other processes.
  package var observer = ""
  /// Files out of the page cache.
  package var cold = ""
}
