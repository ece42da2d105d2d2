/// What a finding means, when it is raised, and what to do about it: `launchprof explain`, and docs/findings.md.
public struct FindingGuide: Sendable, Equatable {
  public let id: String
  /// One sentence: what is the matter.
  public let meaning: String
  /// When it is raised; `expected` and `actual` are those of `Finding`.
  public let when: String
  /// What it names, and what its evidence is.
  public let shows: String
  /// What can be done, the best first.
  public let steps: [String]

  /// The guide to a finding; nil for an id that is not known.
  public static func named(_ id: String) -> FindingGuide? { all.first { $0.id == id } }

  /// In the order of reports: what concerns the launch, the main thread, loading, the recording.
  public static let all: [FindingGuide] = launch + mainThread + loading + recording
}

extension FindingGuide {
  fileprivate static let launch = [
    FindingGuide(
      id: FindingName.failedLaunch,
      meaning: "The program ended, or was ended, before its launch was over.",
      when:
        "It exited with a status other than 0, died of a signal, ran out of time or could not be started, and had not "
        + "reached `first-frame`, `ready` or `fully-drawn`; or nobody saw its end, and work on its main thread is still open.",
      shows: "The phase that it got to, how it ended, and what was open then.",
      steps: [
        "Read the program's own messages, or its core dump.",
        "Look at what is open in that phase: it is marked `(open)`.",
        "If its time was up, give it more with `--timeout`.",
      ]),
    FindingGuide(
      id: FindingName.launchOverBudget,
      meaning: "The launch took longer than its budget.",
      when: "The milestone that ends the launch came later after the process's start than its budget: 400 ms for "
        + "`first-frame`, and for `ready` when it has none of its own.",
      shows: "The milestone, and the phases that took the most. The other findings say why.",
      steps: [
        "Begin with the phase that takes the most of the launch.",
        "Defer what the first screen, or the first answer, does not need.",
        "If it may take that long, give the milestone another budget in launch-budgets.yml.",
      ]),
    FindingGuide(
      id: FindingName.milestoneOverBudget,
      meaning: "A milestone that is not the launch's end came later than its budget.",
      when: "Its time after the process's start is more than its budget.",
      shows: "The milestone, and the phases before it that took the most.",
      steps: ["Look at what runs before it.", "Allow it more time in launch-budgets.yml."]),
    FindingGuide(
      id: FindingName.phaseOverBudget,
      meaning: "A phase took longer than its budget.",
      when: "The phase, or all phases, have a budget in launch-budgets.yml or in code, and it took longer.",
      shows: "The phase, the phases around it, the longest intervals in it, and what the main thread did meanwhile.",
      steps: [
        "Look below it in the flame tree: what is longest there?",
        "Move work out of it: off the main thread, behind the first frame, or into the first launch only.",
      ]),
    FindingGuide(
      id: FindingName.unattributedTime,
      meaning: "Much of the launch belongs to no phase: nobody says what it was for.",
      when: "More than 10 % of the launch, and more than 1 ms.",
      shows: "How much there is in all, and between which phases the longest piece lies.",
      steps: [
        "Put `LaunchProfiler.phase(_:)` around what runs there.", "See what samples say of that time: `--merge`.",
      ]),
    FindingGuide(
      id: FindingName.oneTimeSetupRepeated,
      meaning: "Set-up that belongs to the first launch after installation runs at other launches, too.",
      when:
        "A launch has the phase `one-time-setup` though its kind is `warm`, `hot` or `resume`, or though an earlier "
        + "launch of the same report has had it.",
      shows: "How long it took.",
      steps: [
        "Keep a note that it is done (a file with the version it was done for), and look for that first.",
        "Do it when what it sets up is first needed.",
      ]),
  ]

  fileprivate static let mainThread = [
    FindingGuide(
      id: FindingName.mainThreadOverBudget,
      meaning: "Something on the main thread took longer than one interval may.",
      when:
        "An interval is longer than its budget (16 ms unless set), or samples saw one function, called from the same "
        + "ones, for longer than that, and longer by more than their error; the time in which such a function had no "
        + "processor does not count, for others are to blame for it. Work off the main thread is never flagged.",
      shows: "The interval, or with a `~` the function: of all those that ran within each other, the innermost of the "
        + "program's own code, and the line that most samples were in. `error` is the distance of two samples. The evidence "
        + "has the functions in which most of the time was, and what the main thread did meanwhile.",
      steps: [
        "Move it off the main thread.", "Defer it until the first frame is shown, or the first request answered.",
        "Do it once, and keep the result.",
        "Put an interval around what samples name: then its time is exact, and it can have a budget of its own.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadBlockedIO,
      meaning: "The main thread waited for a disk, or for pages to be read in.",
      when: "In all longer than 9 % of the launch's budget (36 ms of 400 ms), or once longer than an interval may take "
        + "(16 ms). Android allows 450 ms of 5 s.",
      shows: "The file, where the kernel says which one; else the system call. Short waits are known from those that a "
        + "look met; with `record --detail scheduling` (root) the kernel tells of each.",
      steps: [
        "Read it on another thread, and go on with something else.",
        "Read less: a small cache of what is needed first, an index instead of the whole.",
        "Of libraries (`page-fault`): link fewer of them, or link statically.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadWaiting,
      meaning: "The main thread waited: for a lock, a timer, another thread or another process.",
      when:
        "For locks: in all longer than 20 % of the launch. Otherwise in all longer than 58 % of the launch's budget "
        + "(232 ms of 400 ms); Android allows 2.9 s of 5 s. Or once longer than an interval may take (16 ms), "
        + "unless it waited for events (`poll`, `epoll_wait`, `rt_sigsuspend`): then it was free.",
      shows:
        "Whom it waited for: the thread that woke it, the owner of the lock, whose end it waited for, or (`ran the most "
        + "meanwhile`) the thread that ran for most of that time, which is likely and not certain. Then whom that one waited "
        + "for, and so on, and what the last of them was doing. `--by thread` has the critical path of the launch. With "
        + "`record --detail scheduling` (root) the kernel says who ended each wait.",
      steps: [
        "Of a lock: hold it for shorter, or split what it guards.",
        "Of another thread: start its work earlier, or ask for its result later.",
        "Of a sleep: wait for what is needed, or for nothing.",
        "Of a child or a service: do not wait for it on the main thread.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadRunnable,
      meaning: "The main thread had work to do, and no processor to do it on.",
      when:
        "In all longer than 15 % of the launch, or than 100 ms, and longer than half of an interval's budget (8 ms).",
      shows: "How long. `cpu-contention` names who had the processors, if the trace knows.",
      steps: [
        "If other programs had them: the measurement is disturbed; repeat it on a quiet machine.",
        "If its own threads and children had them: see `cpu-contention`.",
      ]),
    FindingGuide(
      id: FindingName.cpuContention,
      meaning: "Other threads of the trace had the processors while the main thread had none.",
      when: "Together with `main-thread-runnable`, when threads of the trace ran for at least a quarter of that time.",
      shows: "The threads, those that ran the longest first, and for how long.",
      steps: [
        "Start fewer threads and children during the launch.",
        "Let what the first screen does not need run at a lower priority, or later.",
        "Where many processors are expected and few are there (containers), size pools by what is there.",
      ]),
  ]

  fileprivate static let loading = [
    FindingGuide(
      id: FindingName.slowStaticInitializer,
      meaning: "A static initialiser takes long, before `main` and whether its value is needed or not.",
      when: "One initialiser takes more than 1 ms, without the time in which other programs had the processor.",
      shows: "The initialiser's function and its library.",
      steps: ["Make the value lazy.", "Do without the library at launch: open it when it is needed."]),
    FindingGuide(
      id: FindingName.relocationHeavyLibrary,
      meaning: "Linking one library takes much of the launch.",
      when:
        "Its relocations, seen from outside or by `--detail loader`, take more than 10 % of the launch and than 1 ms, "
        + "without the time in which the thread waited.",
      shows: "The library, the time, and its share of the launch. The table of libraries has all of them.",
      steps: [
        "Do without it at launch: link less, or open it when it is first needed.",
        "Link it statically: what the linker binds, the loader need not.",
        "If it is yours, let fewer of its symbols be replaced: hidden visibility, `-Bsymbolic`.",
      ]),
    FindingGuide(
      id: FindingName.dlopenAtLaunch,
      meaning: "The main thread opens libraries while the launch runs.",
      when: "In all longer than 20 % of the launch and than 1 ms, or once longer than an interval may take (16 ms).",
      shows: "What came with each `dlopen`, the longest first.",
      steps: [
        "Open it when it is first needed.", "Link it in: the loader then does it once, for all.", "Do without it.",
      ]),
    FindingGuide(
      id: FindingName.debugBuild,
      meaning: "The program was built without optimisation.",
      when: "The recorder in it was compiled so.",
      shows: "Nothing more: all its times are those of a debug build.",
      steps: ["Build with `-c release`."]),
  ]

  fileprivate static let recording = [
    FindingGuide(
      id: FindingName.notInstrumented,
      meaning: "The program has no recorder of its own, and nothing was seen of it from outside.",
      when: "It does not embed `LaunchProfiler`, and the system forbade to observe it.",
      shows: "The program.",
      steps: [
        "Allow observing: `sysctl kernel.perf_event_paranoid=2`, or the capability `CAP_PERFMON`.",
        "Embed the library.",
      ]),
    FindingGuide(
      id: FindingName.eventsDropped,
      meaning: "The trace lacks events.",
      when: "The file was full, or the disk.",
      shows: "How many.",
      steps: [
        "Raise `LAUNCHPROF_LIMIT`.", "Make room on the disk.", "Leave out the intervals that are called most often.",
      ]),
    FindingGuide(
      id: FindingName.initializersUntimed,
      meaning: "Some initialisers could not be timed one by one.",
      when: "The recorder could not take their place.",
      shows: "How many. Their time is in `static-init`.",
      steps: ["Nothing needs to be done."]),
    FindingGuide(
      id: FindingName.recorderOverhead,
      meaning: "Recording took a part of the launch that counts.",
      when: "By its own calibration more than 3 % of the launch.",
      shows: "How much.",
      steps: [
        "Leave out the intervals that are called most often.",
        "Of very short launches: trust medians of many launches only.",
      ]),
    FindingGuide(
      id: FindingName.coldNotProven,
      meaning: "A launch that was to be page-cache cold read nothing from a disk.",
      when: "Its files were put out of the page cache, and it had no major fault and read no byte.",
      shows: "Nothing more. What other programs have mapped stays in memory, and so does what was not yet written.",
      steps: [
        "End the programs that use the same files, or run `sync`.",
        "Where the files are in memory by nature (tmpfs), a cold launch cannot be had.",
      ]),
    FindingGuide(
      id: FindingName.suspended,
      meaning: "The machine slept during the launch.",
      when: "The clock that counts sleep ran ahead of the one that does not by more than 1 ms.",
      shows: "For how long. Such a launch does not count in medians.",
      steps: ["Record it again."]),
    FindingGuide(
      id: FindingName.traceDamaged,
      meaning: "Parts of the trace could not be read.",
      when: "A packet is broken, or the file ends in the middle of one.",
      shows: "Where, and why; everything else was read.",
      steps: ["Record it again, or copy the file again."]),
  ]
}
