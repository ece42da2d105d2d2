// SPDX-License-Identifier: Apache-2.0

/// What a change would save of a launch.
package struct Saving: Sendable, Equatable {
  package var change: LaunchChange
  /// What is changed: a library, an interval, phases; empty where the change says it all.
  package var subject: String
  /// As a part of the launch: 0.25 is a quarter of it.
  package var share: Double
  /// The share in ns, of the launches' own time: `Savings` knows it.
  package internal(set) var time: Int64 = 0
  /// How far the share may be off, as measured on other programs, and as the launches differ.
  package var error: Double
  /// The saving is this or less: it depends on what the program does meanwhile.
  package var isAtMost: Bool
  /// File names of the libraries that go.
  package var gone: [String]

  package init(
    _ change: LaunchChange, _ subject: String = "", share: Double, error: Double, isAtMost: Bool = false,
    gone: [String] = []
  ) {
    (self.change, self.subject, self.share, self.error) = (change, subject, share, error)
    (self.isAtMost, self.gone) = (isAtMost, gone)
  }

  /// What tells it from other savings of a launch.
  struct Key: Hashable {
    var change: LaunchChange
    var subject: String
  }

  var key: Key { Key(change: change, subject: subject) }

  package var title: String { change.title(subject) }

  /// Most of the error is what the compiler may do to the rest of the program. Only the build shows that (D233).
  package var dependsOnRest: Bool { change.compilesRest && error >= share / 2 }
}

/// A change that would help, or seems to, and of which nothing can be said.
package struct RefusedSaving: Sendable, Hashable {
  package var change: LaunchChange
  /// Why, for people.
  package var reason: String
}
