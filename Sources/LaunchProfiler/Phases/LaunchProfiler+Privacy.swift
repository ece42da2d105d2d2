// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import CLaunchRecorder

extension LaunchProfiler {
  /// True if the program may record private values (URLs, payloads) in full. The user allows it with `launchprof record
  /// --unredacted`, or with LAUNCHPROF_UNREDACTED=1 in the environment. If false, record only their kind and size.
  @_borrowed
  public static var recordsPrivateValues: Bool { _read { yield lr_is_unredacted() } }
}
#endif
