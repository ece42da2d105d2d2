// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchRecord
package import LaunchTrace

/// What a launch belongs to, for later comparisons.
package struct RecordingContext: Sendable {
  /// The same for all launches of one call of the command: 64 random bits, hexadecimal.
  package var session = LaunchID.digits(.random(in: .min ... .max))
  /// `base` or `head` of a live comparison; the run's number is then that of the round.
  package var side: String?
  /// The scenario of a gate; nil for none.
  package var scenario: String?
  /// Begins to find out what the files of the program at a path contain. The result waits for the answer; nil if they
  /// cannot be read.
  package var describeImage: ImageDescriber

  package typealias ImageDescriber = @Sendable (_ path: String) -> () -> ImageDescription?

  package init(describeImage: @escaping ImageDescriber = { _ in { nil } }) { self.describeImage = describeImage }

  func annotations(image: ImageDescription?) -> [(key: String, value: AnnotationValue)] {
    var rows: [(key: String, value: AnnotationValue)] = [(LS_KEY_SESSION, .string(session))]
    if let side { rows.append((LS_KEY_SIDE, .string(side))) }
    if let scenario { rows.append((LS_KEY_SCENARIO, .string(scenario))) }
    if let image { rows.append(("image", image.annotation)) }
    return rows
  }
}
