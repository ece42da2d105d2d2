// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
package import LaunchTrace

/// How the launch was observed from outside, according to its launcher.
package struct Observation: Sendable, Equatable {
  /// `perf`, `ptrace` or `none`: docs/trace-format.md.
  package var means: String
  /// Why no better means was used, for people; empty if nothing is missing.
  package var shortcoming: String
  /// How it is known what threads waited for; nil if it is not known.
  package var waitStates: WaitStates?
  /// How long the program was stopped at its start, ns. Not part of the launch.
  package var stopped: Int64
  /// How long breakpoint instructions, or stops for stack samples, held the main thread up, ns. Part of the launch.
  package var heldUp: Int64
  /// The sum of the same for the other threads, ns.
  package var heldUpThreads: Int64 = 0
  /// Records that did not fit into the buffer, and how many of them were stack samples.
  package var lostRecords: Int
  package var lostSamples: Int
  /// Why stacks lack their outer functions, the most frequent cause first; empty if none does, or if it is not known.
  package var cutStacks: [StackCut] = []
  /// Stack samples per second of CPU time, 0 for none.
  package var sampleRate: Int
  /// Whether each sample stopped its thread, because perf events were not allowed (`record --detail stacks`).
  package var stopsForStacks: Bool { waitStates == .times && sampleRate > 0 }
  /// Where recording ended before the program did, ns on the trace's clock; nil if it did not.
  package var until: Int64?
  /// Libraries that the agent in the program could not time, and records that did not fit into its file (`record
  /// --detail loader`).
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

  package enum WaitStates: String, Sendable {
    /// The kernel's scheduler said it.
    case kernel
    /// Looks at the thread now and then found it.
    case looks
    /// All states are estimates, from how long each thread had run at each look.
    case times

    /// - Parameter name: as the trace has it.
    init?(_ name: String?) {
      switch name {
      case LS_WAIT_STATES_KERNEL: self = .kernel
      case LS_WAIT_STATES_LOOKS: self = .looks
      case LS_WAIT_STATES_TIMES: self = .times
      default: return nil
      }
    }
  }

  /// How often Swift's runtime did something.
  package struct RuntimeCalls: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case casts, witnessTables, associatedTypes, genericTypes
    }

    package var kind: Kind
    package var count: Int
  }
}
