// SPDX-License-Identifier: Apache-2.0

/// What a finding means, when it is raised, and what to do about it: `launchprof explain`, and docs/findings.md.
package struct FindingGuide: Sendable, Equatable {
  package let id: String
  /// One sentence: what the problem is.
  package let meaning: String
  /// When it is raised; `expected` and `actual` are those of `Finding`.
  package let when: String
  /// What the finding names, and its evidence.
  package let shows: String
  /// What to do, the best step first.
  package let steps: [String]

  /// The guide to a finding; nil for an id that is not known.
  package static func named(_ id: String) -> FindingGuide? { all.first { $0.id == id } }

  /// In the order of reports: the launch, the main thread, loading, the recording.
  package static let all: [FindingGuide] = launch + mainThread + loading + recording
}

extension FindingGuide {
  fileprivate static let launch = [
    FindingGuide(
      id: FindingName.failedLaunch,
      meaning: "The program ended before its launch was over.",
      when:
        "The program exited with a status other than 0, was killed by a signal, ran out of time, or could not be started, "
        + "before it reached `first-frame`, `ready` or `fully-drawn`. In a trace without a launcher: an interval of the "
        + "main thread has no end. Or the end of the trace is missing, as after an incomplete copy.",
      shows: "The phase that the program had reached, how it ended, and which intervals were open.",
      steps: [
        "Read the program's messages, or its core dump.",
        "Look at the intervals of that phase that are marked `(open)`.",
        "If the program ran out of time, allow more with `--timeout`.",
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
      shows: "The phase, the phases around it, its longest intervals, and the states of the main thread during it.",
      steps: [
        "Find its longest part in the flame tree.",
        "Move work out of it: to another thread, to after the first frame, or to the first launch only.",
      ]),
    FindingGuide(
      id: FindingName.unattributedTime,
      meaning: "Much of the launch belongs to no phase.",
      when: "The time outside all phases is more than 10 % of the launch, and more than 1 ms.",
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
        + "set itself. Or an earlier launch of the same report had that phase.",
      shows: "How long the set-up took.",
      steps: [
        "Record that the set-up is done, for example in a file with the version, and check that file first.",
        "Do the set-up when its result is first needed.",
      ]),
  ]

  fileprivate static let mainThread = [
    FindingGuide(
      id: FindingName.mainThreadOverBudget,
      meaning: "An interval or a function on the main thread took longer than its budget.",
      when:
        "An interval took longer than its budget (16 ms by default). Or the samples show that one call of a function took "
        + "longer than that, by more than the time between two samples. Time without a processor does not count for a "
        + "sampled function.",
      shows:
        "The interval; or, marked `~`, the innermost function of the program's own code, and its line with the most "
        + "samples. `error` is the time between two samples, and how long the thread ran before and after the call "
        + "without a sample, because it was in the kernel. A function that was over budget several times is one finding "
        + "with a count. Samples do not show where a call ends: several calls by the same caller look like one if no sample "
        + "between them saw another function.",
      steps: [
        "Defer it until after the first frame, or the first answer.", "Move it off the main thread.",
        "Do it once, and keep the result.",
        "If it is a sampled function, put an interval around it. Then its time is exact, and it can have its own budget.",
      ]),
    FindingGuide(
      id: FindingName.intervalOverBudget,
      meaning: "An interval on another thread took longer than its budget.",
      when:
        "The interval has a budget by name and took longer. Or the launch waited for the interval: while it ran, the main "
        + "thread only waited for events, for longer than the budget of an interval (16 ms by default). This happens in a "
        + "program with an `async` main that awaits the interval. The launch did not wait for an interval that ends after it.",
      shows:
        "The interval, its longest part, how long the launch waited for it (`awaited`), and how long the main actor ran "
        + "during it. Without observation, the recorder checks the main thread once, when the interval ends.",
      steps: [
        "Start it earlier, and await its result later (`async let`).",
        "Run independent parts of it at the same time, in a task group.",
        "Do it after the launch, if the first screen, or the first answer, does not need it.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadBlockedIO,
      meaning: "The main thread waited for a disk, or for pages to be read from one.",
      when:
        "All waits together took more than 9 % of the launch's budget: 36 ms of 400 ms. Android allows the same share of a "
        + "cold start: 450 ms of 5 s. Or one wait was longer than the budget of an interval (16 ms by default).",
      shows:
        "The file, if the kernel names it; otherwise the system call. If no file has most of it, the number of files. The "
        + "observer finds the cause of a short wait only if it happens to look during the wait. With `record --detail "
        + "scheduling` (as root), the kernel reports every wait.",
      steps: [
        "Reads: read the file later, on another thread, or only in part.",
        "`fsync` and similar calls: write everything first, and sync once. Data that can be created again needs no sync.",
        "`open`, `stat` and similar calls: look up fewer files.",
        "`page-fault`: a second launch finds the pages in memory. For cold launches, load fewer or smaller libraries.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadWaiting,
      meaning: "The main thread waited for a lock, a timer, another thread or another process.",
      when:
        "Locks: all waits together took more than 20 % of the launch, and more than the budget of an interval (16 ms by "
        + "default). Other waits: all together took more than 58 % of the launch's budget: 232 ms of 400 ms. Android allows the "
        + "same share: 2.9 s of 5 s. Or one wait was longer than the budget of an interval. A single long wait for events "
        + "(`poll`, `epoll_wait`, `rt_sigsuspend`) does not raise the finding, because the thread was free. A thread that waits "
        + "for a name server, and a program with one thread that waits for a signal (`timeout`), are not free.",
      shows:
        "What the main thread waited for: the thread that woke it, the owner of the lock, or the thread or child process "
        + "whose end it awaited. The words `ran the most meanwhile` mean that this is likely, not certain. The finding then "
        + "follows the chain: what that other thread waited for in turn, and what the last thread of the chain did. "
        + "`--by thread` shows the critical path of the launch.",
      steps: [
        "A lock: hold it for a shorter time, or protect parts of the data with separate locks.",
        "Another thread: start its work earlier, or wait for its result later.",
        "If one thread does most of the launch's work, look at that thread. The wait itself is not a mistake.",
        "A sleep: wait for the event that the program needs instead of a fixed time.",
        "A name server: look up the host name on another thread, or after the launch.",
        "A child process: record it with `--follow`, or wait for it after the launch.",
      ]),
    FindingGuide(
      id: FindingName.launchWaiting,
      meaning: "Another thread went on with the launch, and it waited, too.",
      when:
        "The first thread of the program had no part in the launch any more: in a program with an `async` main, or in a "
        + "server whose first thread waits while other threads start its services. The thread that went on waited for a "
        + "timer, a lock, a disk or a name server for longer than the budget of an interval (16 ms by default). Or it waited for "
        + "events for more than 58 % of the launch's budget: 232 ms of 400 ms.",
      shows:
        "The file, the system call or the state of the wait, and the thread. Unless the kernel records who wakes whom "
        + "(`record --detail scheduling`, as root), that thread is likely, not certain. `--by thread` shows the critical "
        + "path of the launch.",
      steps: [
        "A sleep: wait for the event that the program needs instead of a fixed time.",
        "A lock or a disk: see main-thread-waiting and main-thread-blocked-io.",
        "Events: find out who answers late: a database, a name server, another process.",
        "Start independent services at the same time, and what the first answer does not need after the launch.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadRunnable,
      meaning: "The main thread was ready to run, but no processor was free.",
      when:
        "This took more than 15 % of the launch, or more than 100 ms. It must also be more than half of the budget of an "
        + "interval (8 ms by default).",
      shows: "How long it took. `cpu-contention` names the threads that used the processors, if the trace has them.",
      steps: [
        "If other programs used the processors, they disturbed the measurement. Repeat it on a quiet machine.",
        "If a CPU quota stopped the program (the limit of a container), raise the quota, or use less CPU time.",
        "If the program's own threads and child processes used them, see `cpu-contention`.",
      ]),
    FindingGuide(
      id: FindingName.cpuContention,
      meaning: "Other threads of the trace used the processors while the main thread had to wait for one.",
      when: "`main-thread-runnable` is raised, and other threads of the trace ran for at least a quarter of that time.",
      shows: "The threads, the busiest first, and how long each ran.",
      steps: [
        "Start fewer threads and child processes before the launch is over.",
        "Run work that the first screen does not need later, or at a lower priority.",
        "In a container, choose the size of thread pools by the processors of the container, not of the machine.",
      ]),
  ]

  fileprivate static let loading = [
    FindingGuide(
      id: FindingName.slowStaticInitializer,
      meaning: "A static initialiser is slow. It runs before `main`, even if nothing uses its value.",
      when: "One initialiser takes more than 1 ms. Time without a processor does not count.",
      shows: "The slowest initialiser of a program or library, and the number of other slow ones in the same file.",
      steps: [
        "If it is in your code, compute the value when it is first used.",
        "If it is in a library, load the library when it is first needed.",
      ]),
    FindingGuide(
      id: FindingName.slowLazyGlobal,
      meaning: "The main thread spent much of the launch on initialising a `static let` or a global.",
      when:
        "With `record --detail globals`: it takes more than 10 % of the launch and more than 1 ms, or longer than the budget of "
        + "an interval (16 ms by default). The globals that it uses, and the time without a processor, do not count.",
      shows:
        "The variable, the functions that asked for it, and the file that it is in. `actual` is its own time, without what "
        + "the probes cost.",
      steps: [
        "Make the value smaller, or compute a part of it only when that is needed.",
        "Use it on another thread before the main thread needs it.",
        "Postpone the code that needs it: a `static let` costs nothing until then.",
      ]),
    FindingGuide(
      id: FindingName.lazyGlobalContended,
      meaning: "A thread waited until another one had initialised a `static let` or a global.",
      when:
        "With `record --detail globals`: one such wait takes more than 10 % of the launch and more than 1 ms, or longer than "
        + "the budget of an interval (16 ms by default).",
      shows: "The variable, the thread that initialised it, and each thread that waited. `actual` is the longest wait.",
      steps: [
        "Use the variable earlier, before several threads need it.",
        "Make the value smaller, so that other threads do not wait long.",
        "If the threads need different parts of it, split it.",
      ]),
    FindingGuide(
      id: FindingName.conformanceLookupsHeavy,
      meaning:
        "The main thread spent much of the launch on looking up conformances to protocols, and types by their names.",
      when:
        "With `record --detail conformances`: the first look-ups of the main thread take more than 5 % of the launch together, "
        + "and more than 1 ms. Repeated look-ups do not count.",
      shows:
        "What made the runtime look: `String(describing:)` and `print`, `Mirror`, casts, or generic types. Then the functions "
        + "that asked, and the types. `actual` is the sum of the look-ups' own times, without what the probes cost.",
      steps: [
        "Do not describe types or values to get keys or names: use `ObjectIdentifier(type)`, or a constant name.",
        "Replace `as?` over many types by a requirement of a common protocol, or by an enum.",
        "Decode and encode fewer types during the launch: each type costs several look-ups when it is first used.",
        "Do it after the launch, or on another thread.",
      ]),
    FindingGuide(
      id: FindingName.expensiveFirstUse,
      meaning:
        "The main thread used a part of Foundation or the standard library whose first use is expensive, and that has a "
        + "cheaper alternative.",
      when:
        "Its functions take more than 5 % of the launch, and more than 1 ms. At least two stack samples show this, or lazy "
        + "globals (`record --detail globals`).",
      shows:
        "What was used, the code that used it, and the cheaper alternative. [swift-at-launch.md](swift-at-launch.md#what-to-use-instead) "
        + "has the table.",
      steps: [
        "Use the cheaper alternative.",
        "If the launch does not need it, use it after the launch: a formatter in a `static let` costs nothing until then.",
        "Do not import Foundation for it: `FoundationEssentials` has neither ICU nor formatters with a locale.",
      ]),
    FindingGuide(
      id: FindingName.relocationHeavyLibrary,
      meaning: "The loader spends much of the launch on relocating one library.",
      when:
        "Its relocations take more than 10 % of the launch, and more than 1 ms. Time in which the thread waited does not "
        + "count.",
      shows: "The library, the time, and its share of the launch. The table of libraries shows every library.",
      steps: [
        "Do not link the library, or open it when it is first needed.",
        "If you build the library, hide its symbols (`-fvisibility=hidden`, `-Bsymbolic`). Then the loader need not search "
          + "for them.",
        "If it is the program itself, use less static data that contains addresses, or link with `-no-pie`.",
      ]),
    FindingGuide(
      id: FindingName.dlopenAtLaunch,
      meaning: "The main thread opens libraries during the launch.",
      when:
        "All `dlopen` calls together took more than 20 % of the launch and more than 1 ms. Or one took longer than the budget "
        + "of an interval (16 ms by default).",
      shows: "The libraries that each `dlopen` loaded, the slowest call first.",
      steps: [
        "If your program opens it, open it when it is first needed, or link it.",
        "If another library opens it (a graphics driver, for example), use that library later.",
      ]),
    FindingGuide(
      id: FindingName.debugBuild,
      meaning: "The program was built without optimisation, so its times say little about a release build.",
      when: "The recorder inside the program was compiled without optimisation.",
      shows: "No further evidence.",
      steps: ["Build with `-c release`."]),
  ]

  fileprivate static let recording = [
    FindingGuide(
      id: FindingName.notInstrumented,
      meaning: "Waits and stacks are not known, and sometimes only the total time is.",
      when:
        "The program does not embed `LaunchProfiler`, and launchprof could not observe it (or `--no-observation` was given).",
      shows: "The program, and why it could not be observed.",
      steps: [
        "Allow observation: `sudo sysctl kernel.perf_event_paranoid=2`, or the capability `CAP_PERFMON`.",
        "In a container, use a seccomp profile that allows `perf_event_open`.",
        "Record a set-user-id program as root.",
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
      meaning: "The machine slept during the launch.",
      when: "The clock that counts sleep advanced more than 1 ms further than the clock that does not.",
      shows: "How long the machine slept. Such a launch does not count in medians.",
      steps: ["Record it again."]),
    FindingGuide(
      id: FindingName.traceDamaged,
      meaning: "Parts of the trace could not be read.",
      when: "A packet is broken, or the file ends in the middle of one.",
      shows: "The places, and the reason for each. Everything else was read.",
      steps: ["Copy the file again, or record the launch again."]),
  ]
}
