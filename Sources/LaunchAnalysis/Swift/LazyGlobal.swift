// SPDX-License-Identifier: Apache-2.0

package import LaunchTrace

/// A `static let` or a global that was initialised during the launch, when it was first asked for.
package struct LazyGlobal: Sendable, Equatable {
  /// Whose it is.
  package enum Owner: String, Sendable {
    /// The program's: of its own modules, and of packages that it is built from.
    case program
    /// The language's: of its runtime, its standard library, Foundation.
    case language
    /// Not known: the file that it is in has no symbols.
    case unknown
  }

  /// A thread that asked for it meanwhile.
  package struct Waiter: Sendable, Equatable {
    package var thread: String
    package var isOnMainThread: Bool
    /// Nanoseconds on the trace's clock, and for how long.
    package var start: Int64
    package var duration: Int64
  }

  /// `app.Catalogue.all`; of one that has no symbol, `app+0x12a0`.
  package var name: String
  /// The Swift module; nil if the code is not Swift, or the module is not known.
  package var module: String?
  /// Path of the file that it is in.
  package var image: String
  package var owner: Owner
  /// Name of the thread that initialised it.
  package var thread: String
  package var isOnMainThread: Bool
  /// Nanoseconds on the trace's clock.
  package var start: Int64
  /// With the globals that it asked for, and waits for such, ns; without what the probes cost, and without waits of the main thread
  /// for a CPU.
  package var duration: Int64
  /// Without them.
  package var selfTime: Int64
  /// It did not end within the trace.
  package var isUnfinished: Bool
  /// The functions that asked for it, the innermost first; without the ones that only look whether it is initialised.
  package var askers: [String]
  /// By start.
  package var waiters: [Waiter]
  /// In the trace.
  package var slice: SliceIndex

  /// The function that asked for it; empty if not known.
  package var asker: String { askers.first ?? "" }
}
