#if !canImport(os)
internal import CLaunchRecorder

extension LaunchProfiler {
  /// True if private values (URLs, payloads) may be recorded in full: with `launchprof record --unredacted`, or
  /// LAUNCHPROF_UNREDACTED=1 in the environment. Otherwise record only their kind and size.
  public static var recordsPrivateValues: Bool { lr_is_unredacted() }
}
#endif
