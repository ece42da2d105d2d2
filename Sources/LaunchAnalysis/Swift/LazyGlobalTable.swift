// SPDX-License-Identifier: Apache-2.0

/// The lazy globals that a launch initialised.
package struct LazyGlobalTable: Sendable, Equatable {
  /// How they were seen.
  package var means: Means?
  /// In the order of their starts.
  package internal(set) var globals: [LazyGlobal] = []
  /// What the probes cost the launch, ns; the globals' times leave it out, the launch's time includes it.
  package internal(set) var cost: Int64 = 0

  /// How they were watched.
  package struct Means: Sendable, Equatable {
    /// `uprobes` or `ptrace`.
    package var name: String
    /// How much longer a watched call takes, ns: in all, and between the records of its beginning and its end.
    package var callCost: Int64
    package var insideCost: Int64
  }

  /// The globals of one owner.
  package func globals(of owner: LazyGlobal.Owner) -> [LazyGlobal] { globals.filter { $0.owner == owner } }

  /// The time in which globals of an owner were initialised, ns. A global inside another one does not count twice.
  package func total(of owner: LazyGlobal.Owner) -> Int64 { globals(of: owner).reduce(0) { $0 + $1.selfTime } }
}

extension LaunchTimeline {
  /// What was initialised until the launch was over. Collected again by each call.
  package var lazyGlobals: LazyGlobalTable { LazyGlobalTableBuilder(self).build() }
}
