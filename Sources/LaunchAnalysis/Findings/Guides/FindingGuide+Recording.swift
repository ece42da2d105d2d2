// SPDX-License-Identifier: Apache-2.0

/// Findings about the recording.
extension FindingGuide {
  static let recording = [
    FindingGuide(
      id: FindingName.notInstrumented,
      meaning: "Stacks and most waits are not known, and sometimes only the total time is.",
      when:
        "The program does not embed `LaunchProfiler`, and launchprof could not observe it (or `--no-observation` was given).",
      shows: "The program, and why it could not be observed.",
      steps: [
        "Allow observation: `sudo sysctl kernel.perf_event_paranoid=2`, or the capability `CAP_PERFMON`.",
        "In a container, use a seccomp profile that allows `perf_event_open`.",
        "Or record with `--detail stacks`, which needs no perf events, but ptrace.",
        "Record a program that is set-user-id root as root. Programs that are set-user-id for another user cannot be observed.",
        "If you build the program, embed the library.",
      ]),
    FindingGuide(
      id: FindingName.eventsDropped,
      meaning: "Events are missing from the trace.",
      when:
        "The trace reached its size limit, or the disk was full. If the program wrote much to the trace after its launch, as "
        + "a server does for its requests, nothing of the launch is missing, and there is no finding. A full trace keeps room for "
        + "the milestones that end a launch and for four others, so its length is still known.",
      shows: "The number of missing events.",
      steps: [
        "Raise the limit: set the environment variable `LAUNCHPROF_LIMIT` to more bytes than the default, 67108864.",
        "In a program that calls `LaunchProfiler.start`, raise its argument `limit`. The default is 4194304 bytes.",
        "Free space on the disk.", "Remove the intervals that are called most often.",
      ]),
    FindingGuide(
      id: FindingName.initializersUntimed,
      meaning: "Some initialisers could not be timed one by one.",
      when: "The recorder could not replace their addresses with its own function.",
      shows: "The number of initialisers. Their time is included in `static-init`.",
      steps: ["No action is needed."]),
    FindingGuide(
      id: FindingName.recorderOverhead,
      meaning: "Recording took a noticeable part of the launch.",
      when: "By the recorder's own calibration, recording took more than 3 % of the launch, on its busiest thread.",
      shows: "The estimated time.",
      steps: [
        "Remove the intervals that are called most often.",
        "If the launch is very short, use the median of many launches.",
      ]),
    FindingGuide(
      id: FindingName.coldNotProven,
      meaning: "A launch that should have been page-cache cold read nothing from a disk.",
      when:
        "`--cold` should have removed its files from the page cache, but the launch had no major fault and read no byte.",
      shows:
        "No further evidence. Files that other programs have mapped stay in memory, and so do changes that are not yet "
        + "written to the disk.",
      steps: [
        "End the programs that use the same files, and run `sync`.",
        "If the files are on a file system in memory (tmpfs), a cold launch is not possible.",
      ]),
    FindingGuide(
      id: FindingName.suspended,
      meaning: "The machine slept during the launch, or the program was stopped.",
      when:
        "The clock that counts sleep advanced more than 1 ms further than the clock that does not. Or the main thread "
        + "was stopped for more than 1 ms, as by Ctrl-Z or `SIGSTOP`. Stops by launchprof do not count. Without perf "
        + "events, stops are not known.",
      shows:
        "How long that was. The launch's total contains the time of a stop, but not that of sleep. Such a launch "
        + "counts neither in medians nor in the gate.",
      steps: ["Record it again."]),
    FindingGuide(
      id: FindingName.traceDamaged,
      meaning: "Parts of the trace could not be read.",
      when: "A packet is broken, or the file ends in the middle of one.",
      shows: "The places, and the reason for each. Everything else was read.",
      steps: ["Copy the file again, or record the launch again."]),
  ]
}
