// SPDX-License-Identifier: Apache-2.0

/// Records the launch of this program from inside.
///
/// Under `launchprof record -- PROGRAM`, recording starts by itself. `start(into:)` records without the command. Call
/// the members from any thread, but never from a signal handler. While nothing is recorded, they do nothing. On Apple
/// platforms, phases and milestones are signposts in the category of points of interest.
public enum LaunchProfiler {}
