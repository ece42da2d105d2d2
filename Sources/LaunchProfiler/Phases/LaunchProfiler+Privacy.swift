#if !canImport(os)
internal import CLaunchRecorder

extension LaunchProfiler {
  /// True when the person who records wants private values (URLs, payloads) in the trace: `launchprof record
  /// --unredacted`, or LAUNCHPROF_UNREDACTED=1 in the environment. Otherwise record their kind and size.
  public static var recordsPrivateValues: Bool { lr_is_unredacted() }
}
#endif
