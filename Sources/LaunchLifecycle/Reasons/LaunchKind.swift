/// What of the program was there before the launch. The raw values are the trace's.
public enum LaunchKind: String, Sendable, CaseIterable {
  /// The first one of an installation: it did what is done once.
  case first
  /// Nothing of the program was in memory: its files were read from the disk.
  case cold
  /// The process is new, its files were in memory.
  case warm
  /// The program ran already: this process handed the launch to that one.
  case resume
  /// The files were in memory in part, or nobody can say.
  case uncertain
}
