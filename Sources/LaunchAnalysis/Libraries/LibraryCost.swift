// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// What one library cost a launch, up to its end.
package struct LibraryCost: Sendable, Equatable {
  /// The path of the file.
  package var path: String
  /// How many times it was loaded.
  package var loads: Int
  /// Size in the address space, bytes; nil if its mapping was not observed.
  package var size: Int64?
  /// Time to find and map it, ns: from the library before it to itself; nil if the trace does not say.
  package var map: Int64?
  /// ns; nil if libraries were not timed one by one.
  package var relocation: Int64?
  /// Time of all its initialisers, ns; nil if they were not timed.
  package var initialization: Int64?
  /// In how much of these times the main thread was held up, ns: other programs had the processor, or it was stopped. nil if the
  /// trace does not say.
  package var heldUp: Int64? = nil
  /// Initialisers that were timed.
  package var initializers: Int
  /// A dlopen loaded it, not the program's start.
  package var isOpened: Bool
  /// The libraries that it needs, by the names in its file; nil if the trace does not say.
  package var needed: [String]? = nil
  /// The slices of its relocations.
  var relocations: [SliceIndex] = []

  package var name: String { fileName(path) }

  /// Sum of the known times, ns.
  package var total: Int64 { (map ?? 0) + (relocation ?? 0) + (initialization ?? 0) }
  /// Without the time in which the thread was held up, ns. Chance says which library that is.
  var own: Int64 { total - (heldUp ?? 0) }
  /// `total`; nil if no time is known.
  package var knownTotal: Int64? { map == nil && relocation == nil && initialization == nil ? nil : total }
}
