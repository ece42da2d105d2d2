// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Records the launch of this program from inside.
///
/// Under `launchprof record -- PROGRAM`, recording starts by itself. `start(into:)` records without the command. Call
/// the members from any thread, but never from a signal handler. While nothing is recorded, they do nothing. On Apple
/// platforms, phases and milestones are signposts in the category of points of interest.
public enum LaunchProfiler {
  /// Records what was launched and why. Reports group launches by these values. A value of nil keeps the current one.
  ///
  /// Statistics and budgets know the kinds `first`, `resume`, `cold`, `warm` and `uncertain`. A kind or a reason may also be a name
  /// of your own, so a misspelt one is not an error: budgets for the right name do not apply to the launch.
  public static func metadata(
    version: String? = nil, build: String? = nil, reason: String? = nil, context: String? = nil, kind: String? = nil
  ) {
    let pairs = [
      (LS_KEY_VERSION, version), (LS_KEY_BUILD, build), (LS_KEY_REASON, reason), (LS_KEY_CONTEXT, context),
      (LS_KEY_KIND, kind),
    ]
    for case (let key, let value?) in pairs { metadata(key, value) }
  }
}
