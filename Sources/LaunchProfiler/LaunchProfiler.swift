/// The launch of this program, seen from inside.
///
/// `launchprof record -- PROGRAM` records without a further call; `start(into:)` records without the command. Every
/// member is safe from any thread and none from a signal handler. While nothing is recorded they do nothing. On Apple
/// platforms phases and milestones are signposts among the points of interest.
public enum LaunchProfiler {}
