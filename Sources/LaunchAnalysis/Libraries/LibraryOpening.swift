/// A dlopen during the launch.
package struct LibraryOpening: Sendable, Equatable {
  /// What came with it, in order.
  package var paths: [String]
  /// Nanoseconds on the trace's clock.
  package var start: Int64
  /// ns.
  package var duration: Int64
  /// Of the thread that did it; empty when it has none.
  package var thread: String
  package var threadID: Int32
  package var isOnMainThread: Bool
  /// `audit`: from the first library that it adds, to the last initialiser; `breakpoint`: from its call to its
  /// return; `kernel`: from the first mapping to the last relocation.
  package var source: Source
  /// It ends with the relocations, because the initialisers after that were not observed.
  package var lacksInitializers: Bool
}
