// SPDX-License-Identifier: Apache-2.0

/// Findings about loading, and work before it is needed.
extension FindingGuide {
  static let loading = [
    FindingGuide(
      id: FindingName.slowStaticInitializer,
      meaning: "A static initialiser is slow. It runs before `main`, even if nothing uses its value.",
      when:
        "One initialiser takes more than 1 ms. Waits for a CPU do not count, and neither do waits for pages of the file that it is "
        + "in: without it, the next initialiser would wait for them. See `main-thread-blocked-io`.",
      shows: "The slowest initialiser of a program or library, and the number of other slow ones in the same file.",
      steps: [
        "If it is in your code, compute the value when it is first used.",
        "If it is in a library, load the library when it is first needed. No program can change an initialiser of Swift's "
          + "runtime.",
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
        + "that asked, and the types. `actual` is the sum of the look-ups' own times, without what the probes cost, and "
        + "without the time without a processor.",
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
      shows:
        "The library, the time, and its share of the launch. If most samples of that time are in a function that chooses an "
        + "implementation (IFUNC), that function. The table of libraries shows every library.",
      steps: [
        "Do not link the library, or open it when it is first needed.",
        "If you build the library, hide its symbols (`-fvisibility=hidden`, `-Bsymbolic`). Then the loader need not search "
          + "for them.",
        "If it is the program itself, use less static data that contains addresses, or link with `-no-pie`.",
        "If a function that chooses an implementation takes most of the time, make it faster.",
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
}
