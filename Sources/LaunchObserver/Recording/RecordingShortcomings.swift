/// Why requested parts of a recording are missing, for people. Empty: nothing is missing.
package struct RecordingShortcomings: Sendable, Equatable {
  /// Times of libraries and initialisers, by the agent.
  package var loader = ""
  /// What threads waited for, from the kernel's scheduler.
  package var scheduling = ""
  /// Lazy globals, by probes.
  package var globals = ""
  /// Everything from perf events: stacks, other processes.
  package var observer = ""
  /// Removal of files from the page cache.
  package var cold = ""
}
