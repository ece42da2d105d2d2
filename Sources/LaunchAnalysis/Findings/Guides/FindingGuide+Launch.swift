// SPDX-License-Identifier: Apache-2.0

/// Findings about the launch as a whole.
extension FindingGuide {
  static let launch = [
    FindingGuide(
      id: FindingName.failedLaunch,
      meaning: "The program ended before its launch was over.",
      when:
        "The program did not reach `first-frame`, `ready`, `handed-over` or `fully-drawn`. It exited with a status other than 0 and "
        + "those of `--success`, was killed by a signal, ran out of time, or could not be started. In a trace without a launcher: an interval of the "
        + "main thread has no end, or the recorder did not see the program exit. Or the end of the trace is missing, as after an "
        + "incomplete copy.",
      shows:
        "The phase that the program had reached, how it ended, and which intervals were open. If a signal killed it, or it "
        + "ran out of time: the function in which the last sample saw the main thread.",
      steps: [
        "Read the program's messages, or its core dump.",
        "Look at the intervals of that phase that are marked `(open)`.",
        "If the program goes on running, say when it is ready with `--ready`.",
        "If the program ran out of time, allow more with `--timeout`.",
        "If its exit status is an answer, as 1 of `grep` and `diff`, name it: `--success 1`.",
      ]),
    FindingGuide(
      id: FindingName.launchOverBudget,
      meaning: "The launch took longer than its budget.",
      when:
        "The end milestone came later than its budget. The default budget is 400 ms for `first-frame`. `ready` without "
        + "a budget has that of `first-frame`.",
      shows:
        "Each phase that takes 5 % of the launch or more, the largest first. For each phase, the part with most of its "
        + "time: an interval, a sampled function (`~`), or time without either. The other findings say why.",
      steps: [
        "Start with the largest part.",
        "Defer work that the first screen, or the first answer, does not need.",
        "If this launch time is acceptable, raise the milestone's budget in launch-budgets.yml.",
      ]),
    FindingGuide(
      id: FindingName.milestoneOverBudget,
      meaning: "A milestone that does not end the launch came later than its budget.",
      when: "The time from the start of the process to the milestone is longer than its budget.",
      shows: "The phases before the milestone, the largest first.",
      steps: [
        "Make the phases before it faster, or defer their work.",
        "If this time is acceptable, raise its budget in launch-budgets.yml.",
      ]),
    FindingGuide(
      id: FindingName.phaseOverBudget,
      meaning: "A phase took longer than its budget.",
      when:
        "The phase has a budget, by its name or from `phase:`, and took longer. A budget by name applies on every thread.",
      shows:
        "The phase, the phases around it, its longest intervals, and the states of the main thread during it. If a phase of one place is over its budget several times: the longest one, and how often.",
      steps: [
        "Find its longest part in the flame tree.",
        "Move work out of it: to another thread, to after the first frame, or to the first launch only.",
      ]),
    FindingGuide(
      id: FindingName.unattributedTime,
      meaning: "Much of the launch belongs to no phase.",
      when:
        "The time outside all phases is more than 10 % of the launch, and more than 1 ms. Time without a processor does "
        + "not count.",
      shows: "The total of this time, and the two phases between which the longest gap lies.",
      steps: [
        "Put `LaunchProfiler.phase(_:)` around the code that runs there.",
        "Look at the samples of that time: `launchprof report --merge`.",
      ]),
    FindingGuide(
      id: FindingName.oneTimeSetupRepeated,
      meaning: "One-time set-up ran again. Only the first launch after installation needs it.",
      when:
        "The launch has the phase `one-time-setup` although its kind is `warm` or `resume`, or `hot`, which a program can "
        + "set itself. Or an earlier launch of the same report had that phase, and this one is not a first launch.",
      shows: "How long the set-up took.",
      steps: [
        "Record that the set-up is done, for example in a file with the version, and check that file first.",
        "Do the set-up when its result is first needed.",
      ]),
  ]
}
