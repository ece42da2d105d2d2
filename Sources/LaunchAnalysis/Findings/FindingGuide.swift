/// What a finding means, when it is raised, and what to do about it: `launchprof explain`, and docs/findings.md.
package struct FindingGuide: Sendable, Equatable {
  package let id: String
  /// One sentence: what is the matter.
  package let meaning: String
  /// When it is raised; `expected` and `actual` are those of `Finding`.
  package let when: String
  /// What it names, and what its evidence is.
  package let shows: String
  /// What can be done, the best first.
  package let steps: [String]

  /// The guide to a finding; nil for an id that is not known.
  package static func named(_ id: String) -> FindingGuide? { all.first { $0.id == id } }

  /// In the order of reports: what concerns the launch, the main thread, loading, the recording.
  package static let all: [FindingGuide] = launch + mainThread + loading + recording
}

extension FindingGuide {
  fileprivate static let launch = [
    FindingGuide(
      id: FindingName.failedLaunch,
      meaning: "The program ended before its launch was over.",
      when:
        "The program exited with a status other than 0, died of a signal, ran out of time, or could not be started. And it had "
        + "not reached `first-frame`, `ready` or `fully-drawn`. Without a launcher: work on its main thread is still open.",
      shows: "The phase that it had reached, how it ended, and what was open then.",
      steps: [
        "Read the program's own messages, or its core dump.",
        "Look at what is open in that phase: it is marked `(open)`.",
        "If its time was up, allow more with `--timeout`.",
      ]),
    FindingGuide(
      id: FindingName.launchOverBudget,
      meaning: "The launch took longer than its budget.",
      when:
        "The milestone that ends the launch came later than its budget. Without a budget of its own, `first-frame` may "
        + "take 400 ms, and `ready` what `first-frame` may take.",
      shows: "The parts that make up the launch, the largest first: each phase of 5 % of the launch or more. In it, "
        + "what has most of its time: an interval, a sampled function (`~`), or unclaimed time. The other findings say "
        + "why.",
      steps: [
        "Begin with the largest part.",
        "Defer what the first screen, or the first answer, does not need.",
        "If the launch may take that long, give the milestone another budget in launch-budgets.yml.",
      ]),
    FindingGuide(
      id: FindingName.milestoneOverBudget,
      meaning: "A milestone that does not end the launch came later than its budget.",
      when: "Its time from the start of the process is longer than its budget.",
      shows: "The parts before it, the largest first.",
      steps: ["Look at what runs before it.", "Give it another budget in launch-budgets.yml."]),
    FindingGuide(
      id: FindingName.phaseOverBudget,
      meaning: "A phase took longer than its budget.",
      when: "The phase has a budget, by name or by `phase`, and took longer. A budget by name holds on every thread.",
      shows: "The phase, the phases around it, its longest intervals, and what the main thread did meanwhile.",
      steps: [
        "Look below it in the flame tree: what is longest there?",
        "Move work out of it: to another thread, behind the first frame, or into the first launch only.",
      ]),
    FindingGuide(
      id: FindingName.unattributedTime,
      meaning: "Much of the launch belongs to no phase.",
      when: "It is more than 10 % of the launch, and more than 1 ms.",
      shows: "How much there is in all, and between which phases the longest piece lies.",
      steps: [
        "Put `LaunchProfiler.phase(_:)` around what runs there.", "See what samples say of that time: `--merge`.",
      ]),
    FindingGuide(
      id: FindingName.oneTimeSetupRepeated,
      meaning: "Set-up for the first launch after installation also runs at other launches.",
      when:
        "A launch has the phase `one-time-setup`, though its kind is `warm`, `hot` or `resume`, or though an earlier launch "
        + "of the same report has had it.",
      shows: "How long it took.",
      steps: [
        "Record that it is done, for instance in a file with the version it was done for. Look for that first.",
        "Do it when what it sets up is first needed.",
      ]),
  ]

  fileprivate static let mainThread = [
    FindingGuide(
      id: FindingName.mainThreadOverBudget,
      meaning: "Something on the main thread took longer than one interval may.",
      when:
        "An interval is longer than its budget (16 ms unless set). Or samples saw one function, called from the same "
        + "ones, for longer than that, by more than their error. Time without a processor does not count for such a function.",
      shows:
        "The interval; or with a `~` the innermost function of the program's own code, and its line with the most samples. "
        + "`error` is the distance of two samples. A function that ran over several times is one finding, with a count.",
      steps: [
        "Defer it until the first frame is shown, or the first request is answered.", "Move it off the main thread.",
        "Do it once, and keep the result.",
        "If samples name it, put an interval around it: that gives its exact time, and it can have a budget of its own.",
      ]),
    FindingGuide(
      id: FindingName.intervalOverBudget,
      meaning: "An interval on another thread took longer than its budget.",
      when:
        "The interval has a budget by name. Or the launch waited for it: while it ran, the main thread did nothing but "
        + "wait for events, for longer than an interval may take (16 ms). So it is in a program with an `async` main when all "
        + "of it awaits one interval.",
      shows:
        "The interval, what was longest in it, how long the launch waited for it (`awaited`), and how long the main actor "
        + "ran meanwhile. Without observation, the recorder looks at the main thread once: when the interval ends.",
      steps: [
        "Start it earlier, and await its result later: `async let`.",
        "Run what does not depend on each other side by side: a task group.",
        "Do it after the launch, if the first screen or answer does not need it.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadBlockedIO,
      meaning: "The main thread waited for a disk, or for pages to be read from one.",
      when:
        "In all it waited for longer than 9 % of the launch's budget (36 ms of 400 ms), or once for longer than an interval may "
        + "take (16 ms). Android allows 450 ms of 5 s.",
      shows:
        "The file, if the kernel says which one; else the system call. If many files were synced, how many. The observer learns of short "
        + "waits only if it looks during one. With `record --detail scheduling` (root) the kernel reports each.",
      steps: [
        "Of reads: read it later, on another thread, or less of it.",
        "Of `fsync` and its like: write everything first, and sync once. Data that can be made again needs no sync.",
        "Of `open`, `stat` and their like: look up fewer files.",
        "Of `page-fault`: a second launch finds the pages in memory. For cold launches, load fewer libraries, or smaller ones.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadWaiting,
      meaning: "The main thread waited for a lock, a timer, another thread or another process.",
      when:
        "For locks: longer than 20 % of the launch in all. Otherwise: longer than 58 % of the launch's budget in all "
        + "(232 ms of 400 ms; Android allows 2.9 s of 5 s), or once longer than an interval may take (16 ms). Waits for "
        + "events (`poll`, `epoll_wait`, `rt_sigsuspend`) do not count for the latter: the thread was free.",
      shows:
        "For whom it waited: the thread that woke it, the owner of the lock, or the thread or child that had to end. `ran the most "
        + "meanwhile` is likely, not certain. Then for whom that one waited, and what the last of them did. "
        + "`--by thread` shows the critical path of the launch.",
      steps: [
        "Of a lock: hold it for shorter, or split what it guards.",
        "Of another thread: start its work earlier, or await its result later.",
        "If one thread does most of the launch's work, look at that thread: the wait itself is no mistake.",
        "Of a sleep: wait for what is needed, not for a time.",
        "Of a child process: record it, too (`--follow`), or do not wait for it in the launch.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadRunnable,
      meaning: "The main thread had work to do, and no processor to do it on.",
      when:
        "In all for longer than 15 % of the launch, or than 100 ms, and for longer than half of an interval's budget (8 ms).",
      shows: "How long. `cpu-contention` names who had the processors, if the trace knows.",
      steps: [
        "If other programs had them, the measurement was disturbed: repeat it on a quiet machine.",
        "If its own threads and children had them: see `cpu-contention`.",
      ]),
    FindingGuide(
      id: FindingName.cpuContention,
      meaning: "Other threads of the trace had the processors while the main thread had none.",
      when: "Together with `main-thread-runnable`, if threads of the trace ran for at least a quarter of that time.",
      shows: "The threads, the busiest first, and for how long each ran.",
      steps: [
        "Start fewer threads and child processes before the launch is over.",
        "Let what the first screen does not need run at a lower priority, or later.",
        "In a container, size pools by the processors that the container has.",
      ]),
  ]

  fileprivate static let loading = [
    FindingGuide(
      id: FindingName.slowStaticInitializer,
      meaning: "A static initialiser takes long. It runs before `main`, whether its value is needed or not.",
      when: "One initialiser takes more than 1 ms, not counting the time without a processor.",
      shows: "The slowest initialiser of a program or library, and how many others of the same file are slow.",
      steps: [
        "If it is yours, make the value lazy.", "If it belongs to a library, load the library when it is first needed.",
      ]),
    FindingGuide(
      id: FindingName.slowLazyGlobal,
      meaning: "The main thread initialised a `static let` or a global for long, because somebody asked for it.",
      when:
        "With `record --detail globals`: without the globals that it asks for itself, and the time without a processor, "
        + "it takes more than 10 % of the launch and more than 1 ms; or longer than an interval may (16 ms unless set).",
      shows:
        "The variable, the functions that asked for it, and the file that it is in. `actual` is its own time, without what "
        + "the probes cost.",
      steps: [
        "Make the value smaller, or compute a part of it only when that is needed.",
        "Ask for it on another thread before the main thread needs it.",
        "Use later what needs it: a `static let` costs nothing until then.",
      ]),
    FindingGuide(
      id: FindingName.lazyGlobalContended,
      meaning: "A thread waited until another one had initialised a `static let` or a global.",
      when:
        "With `record --detail globals`: one such wait takes more than 10 % of the launch and more than 1 ms, or longer than "
        + "an interval may (16 ms unless set).",
      shows: "The variable, who initialised it for whom, and each thread that waited. `actual` is the longest wait.",
      steps: [
        "Ask for the variable earlier, before several threads need it.",
        "Make the value smaller, so that nobody waits for long.",
        "If the threads need different parts of it, split it.",
      ]),
    FindingGuide(
      id: FindingName.relocationHeavyLibrary,
      meaning: "Relocating one library takes much of the launch.",
      when:
        "Its relocations take more than 10 % of the launch, and more than 1 ms, not counting the time that the thread waited.",
      shows: "The library, the time, and its share of the launch. The table of libraries shows all of them.",
      steps: [
        "Do without the library at launch: link less, or open it when it is first needed.",
        "If you build it, hide its symbols: `-fvisibility=hidden`, `-Bsymbolic`. A symbol that cannot be replaced needs no search.",
        "If it is the program itself, keep less data with addresses in it, or link with `-no-pie`.",
      ]),
    FindingGuide(
      id: FindingName.dlopenAtLaunch,
      meaning: "The main thread opens libraries while the launch runs.",
      when:
        "In all for longer than 20 % of the launch and than 1 ms, or once for longer than an interval may take (16 ms).",
      shows: "The libraries that came with each `dlopen`, the longest first.",
      steps: [
        "If your program opens it: open it when it is first needed, or link it in.",
        "If another library opens it, such as a graphics driver: use later what needs it.",
      ]),
    FindingGuide(
      id: FindingName.debugBuild,
      meaning: "The program was built without optimisation.",
      when: "The recorder in it was compiled without optimisation.",
      shows: "Nothing more. All times are those of a debug build.",
      steps: ["Build with `-c release`."]),
  ]

  fileprivate static let recording = [
    FindingGuide(
      id: FindingName.notInstrumented,
      meaning: "Nothing but the total time is known.",
      when: "The program does not embed `LaunchProfiler`, and it could not be observed, or was not to be.",
      shows: "The program, and why it could not be observed.",
      steps: [
        "Allow observing: `sysctl kernel.perf_event_paranoid=2`, or the capability `CAP_PERFMON`.",
        "Record a set-user-id program as root.",
        "If you build the program, embed the library.",
      ]),
    FindingGuide(
      id: FindingName.eventsDropped,
      meaning: "The trace lacks events.",
      when: "The trace had reached its limit, or the disk was full.",
      shows: "How many are missing.",
      steps: [
        "Raise `LAUNCHPROF_LIMIT`.", "Make room on the disk.", "Leave out the intervals that are called most often.",
      ]),
    FindingGuide(
      id: FindingName.initializersUntimed,
      meaning: "Some initialisers could not be timed one by one.",
      when: "The recorder could not redirect them.",
      shows: "How many. Their time is in `static-init`.",
      steps: ["Nothing needs to be done."]),
    FindingGuide(
      id: FindingName.recorderOverhead,
      meaning: "Recording took a noticeable part of the launch.",
      when: "It took more than 3 % of the launch, by the recorder's own calibration.",
      shows: "How much.",
      steps: [
        "Leave out the intervals that are called most often.",
        "Of very short launches, trust only medians of many launches.",
      ]),
    FindingGuide(
      id: FindingName.coldNotProven,
      meaning: "A launch that was to be page-cache cold read nothing from a disk.",
      when: "Its files were removed from the page cache, and it had no major fault and read no byte.",
      shows: "Nothing more. What other programs have mapped stays in memory, and so does what was not yet written.",
      steps: [
        "End the programs that use the same files, or run `sync`.",
        "If the files lie in memory by nature (tmpfs), there is no cold launch.",
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
      shows: "Where, and why. Everything else was read.",
      steps: ["Record it again, or copy the file again."]),
  ]
}
