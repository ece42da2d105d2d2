// SPDX-License-Identifier: Apache-2.0

/// Findings about the main thread, and other threads that the launch waited for.
extension FindingGuide {
  static let mainThread = [
    FindingGuide(
      id: FindingName.mainThreadOverBudget,
      meaning: "An interval or a function on the main thread took longer than its budget.",
      when:
        "An interval took longer than its budget (16 ms by default). Or the samples show that one call of a function took "
        + "longer than that, by more than the time between two samples. For a sampled function, waiting for a CPU does not "
        + "count, nor do the intervals in it, and the functions and waits in it that have findings. Other waits do. "
        + "What comes after the launch counts only if the interval or function has a budget by name. Or a program that "
        + "executed the launched one, such as a shell, ran for longer than that. Its waits count, too, if such programs took "
        + "more than 20 % of the launch. Waiting for a CPU, and stops, never do.",
      shows:
        "The interval; or, marked `~`, the innermost function of the program's own code, and its line with the most "
        + "samples. `error` is the time between two samples, and how long the thread ran before and after the call "
        + "without a sample, because it was in the kernel. A function that was over budget several times is one finding "
        + "with a count. Samples do not show where a call ends: several calls by the same caller look like one if no sample "
        + "between them saw another function, and no stack of a wait did. Nor does a stack whose outer part is missing show it. "
        + "An interpreter calls itself for each function of a script: the outermost call counts.",
      steps: [
        "Defer it until after the first frame, or the first answer.", "Move it off the main thread.",
        "Do it once, and keep the result.",
        "If it is a sampled function, put an interval around it. Then its time is exact, and it can have its own budget.",
        "If it is the interpreter of a script, use a tool of that language to find the script's functions. The finding names one.",
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
        + "scheduling` (as root), the kernel reports every wait. The function that waited: see main-thread-waiting.",
      steps: [
        "Reads: read the file later, on another thread, or only in part.",
        "`fsync` and similar calls: write everything first, and sync once. Data that can be created again needs no sync. "
          + "The finding counts waits: one call may wait many times.",
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
        + "for a name server is not free. Nor is a program with one thread that waits for a signal (`timeout`). The same "
        + "holds for one wait for events that takes more than half of the launch, if the launch goes on after it: nothing "
        + "else of the program ran meanwhile. `poll` and `select` without descriptors are sleeps, and so is a wait for events of 20 ms or more that a timer ended. "
        + "With `--follow`, a wait for events that a child process ended is a wait for that process. "
        + "Without perf events, only waits that a look at /proc found count. After the end "
        + "of the launched process (`exit_group`), the launch waits for a process that it started: a daemon. "
        + "Time in an interval `wait for launch tasks` that is over its budget is left to main-thread-over-budget.",
      shows:
        "What the main thread waited for: the thread that woke it, the owner of the lock, or the thread or child process "
        + "whose end it awaited. The words `ran the most meanwhile` mean that this is likely, not certain. The finding then "
        + "follows the chain: what that other thread waited for in turn, and what the last thread of the chain did. "
        + "`--by thread` shows the critical path of the launch. For users who may see what happens in the kernel (root, or "
        + "`kernel.perf_event_paranoid` of 1 or less): the function of the program's own code that waited, with its file and "
        + "line.",
      steps: [
        "A lock: hold it for a shorter time, or protect parts of the data with separate locks.",
        "Another thread: start its work earlier, or wait for its result later.",
        "If one thread does most of the launch's work, look at that thread. The wait itself is not a mistake.",
        "A socket: find out why the answer came late, ask later, or ask on another thread.",
        "A sleep: wait for the event that the program needs instead of a fixed time.",
        "A name server: look up the host name on another thread, or after the launch.",
        "A child process: record it with `--follow`, or wait for it after the launch.",
      ]),
    FindingGuide(
      id: FindingName.launchWaiting,
      meaning: "Another thread went on with the launch, and it waited, too.",
      when:
        "The first thread had no part in the launch any more: in a program with an `async` main, or in a "
        + "server whose first thread waits, or has ended, while other threads start its services. The thread that went on waited for a "
        + "timer, a lock, a disk or a name server for longer than the budget of an interval (16 ms by default). Or it waited for "
        + "events for more than 58 % of the launch's budget: 232 ms of 400 ms.",
      shows:
        "The file, the system call or the state of the wait, and the thread. Unless the kernel records who wakes whom "
        + "(`record --detail scheduling`, as root), that thread is likely, not certain. `--by thread` shows the critical "
        + "path of the launch. The function that waited is known to the same users as in main-thread-waiting.",
      steps: [
        "A sleep: wait for the event that the program needs instead of a fixed time.",
        "A lock or a disk: see main-thread-waiting and main-thread-blocked-io.",
        "Events: find out who answers late: a database, a name server, another process.",
        "Start independent services at the same time, and what the first answer does not need after the launch.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadInKernel,
      meaning: "Most of what the main thread ran was in the kernel: system calls and page faults.",
      when:
        "This took more than half of the time in which the main thread ran. It must also be more than 10 % of the launch's budget "
        + "(40 ms of 400 ms), and more than the budget of an interval (16 ms by default).",
      shows:
        "How long it took, and the phases with the most of it. The launcher samples the thread once in a millisecond of running, "
        + "and keeps the samples of the program's own code. So the time without a sample was in the kernel. `error` is two standard "
        + "deviations. With few or lost samples, the time is not known. It includes what recording costs in the kernel: some "
        + "13 µs for each switch between threads.",
      steps: [
        "If the advice is about page faults, `strace` shows nothing: see below.",
        "List the system calls: `strace -c -f app`. Without `-c`, `strace -f -k` shows the stack of each call.",
        "Read in larger blocks, look up fewer files, and do not ask twice for what the program knows.",
        "Page faults: touch less memory, and load fewer or smaller libraries. `perf record -e page-faults -g app` shows which "
          + "functions do. `perf trace -s -F all app`, as root, counts them for each thread, and times the calls.",
        "Start fewer processes: `fork` copies the page tables, and `execve` loads another program.",
      ]),
    FindingGuide(
      id: FindingName.mainThreadRunnable,
      meaning:
        "The main thread was ready to run, but no processor was free. Or that is true of a thread that the main thread waited "
        + "for. Or the program's threads had ended, and no processor was free to remove the process, or for launchprof to see its end.",
      when:
        "This took more than 15 % of the launch, or more than 100 ms. It must also be more than half of the budget of an "
        + "interval (8 ms by default).",
      shows:
        "How long it took. If threads that the main thread waited for had no processor for longer than the main thread itself, "
        + "it is their time, with their names. `cpu-contention` names the threads that used the processors, if the trace has them.",
      steps: [
        "If other programs used the processors, they disturbed the measurement. Repeat it on a quiet machine.",
        "If a CPU quota stopped the program (the limit of a container), raise the quota, or use less CPU time.",
        "If the program's own threads and child processes used them, see `cpu-contention`.",
      ]),
    FindingGuide(
      id: FindingName.cpuContention,
      meaning:
        "Other threads of the trace used the processors while the main thread, or a thread that it waited for, had to wait for one.",
      when:
        "`main-thread-runnable` is raised, and for at least a quarter of that time, other threads of the trace had the "
        + "processor on which that thread ran next. Without perf events, it is not known where a thread ran: then they had "
        + "at least a quarter of the time of all processors.",
      shows: "The threads, the busiest first, and how long each ran.",
      steps: [
        "Start fewer threads and child processes before the launch is over.",
        "Run work that the first screen does not need later, or at a lower priority.",
        "In a container, choose the size of thread pools by the processors of the container, not of the machine.",
      ]),
  ]
}
