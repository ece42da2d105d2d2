/// How the launch was observed from outside, as its launcher says.
package struct Observation: Sendable, Equatable {
  /// `perf`, `ptrace` or `none`: docs/trace-format.md.
  package var means: String
  /// Why not by more, for people; empty when nothing is missing.
  package var shortcoming: String
  /// How it is known whether a waiting thread waited for a disk: by the `kernel`, exactly, or by `looks` at it now and then;
  /// nil when it is not known.
  package var waitStates: String?
  /// ns for which the program was stopped at its start; they are not part of the launch.
  package var stopped: Int64
  /// ns by which breakpoint instructions held the program up; they are part of the launch.
  package var heldUp: Int64
  /// Records that found no room, and the stack samples among them.
  package var lostRecords: Int
  package var lostSamples: Int
  /// Stack samples a second of CPU time, 0 for none.
  package var sampleRate: Int
  /// Where recording ended though the program went on, ns on the trace's clock; nil when it did not.
  package var until: Int64?
  /// Libraries that the agent in the program could not time, and records for which its file had no room
  /// (`record --detail loader`).
  package var untimedLibraries = 0
  package var lostAgentRecords = 0
  /// How lazy globals were watched (`record --detail globals`); nil when they were not.
  package var globals: LazyGlobalTable.Means? = nil
  /// How look-ups were watched (`record --detail conformances`); nil when they were not.
  package var lookups: LazyGlobalTable.Means? = nil
  /// How many there were, and how long repeated ones took with their probes.
  package var lookupCalls: [Lookup.Kind: LookupTable.Calls] = [:]
  /// Calls that were only counted (`record --detail calls`).
  package var calls: [RuntimeCalls] = []

  /// How often Swift's runtime did something.
  package struct RuntimeCalls: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case casts, witnessTables, associatedTypes, genericTypes
    }

    package var kind: Kind
    package var count: Int
  }
}
