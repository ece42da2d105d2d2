// SPDX-License-Identifier: Apache-2.0

/// A change of a program, or of how it is built, that may make its launch shorter.
package enum LaunchChange: String, Sendable, CaseIterable {
  /// Link the Swift libraries statically.
  case staticStdlib = "static-stdlib"
  /// Link everything statically: no loader runs.
  case staticExecutable = "static-executable"
  /// Import FoundationEssentials and not Foundation.
  case foundationEssentials = "foundation-essentials"
  /// Do without a library that the program links, and so without the libraries that only that one links.
  case dropLibrary = "drop-library"
  /// Open a library when it is first needed.
  case deferOpening = "defer-dlopen"
  /// Compute a value when it is first needed, and not before `main`.
  case lazyInitializer = "lazy-initializer"
  /// Ask for a lazy global later, or have another thread initialise it.
  case moveGlobal = "move-global"
  /// Do an interval on another thread, or after the launch.
  case moveInterval = "move-interval"
  /// Do phases at the same time that do not need each other.
  case parallelPhases = "parallel-phases"
  /// Run the tasks of a graph on as many threads as there are processors.
  case parallelTasks = "parallel-tasks"
  /// Read the files into memory before the program is launched.
  case prefetch

  /// For people, with what is changed.
  package func title(_ subject: String) -> String {
    switch self {
    case .staticStdlib: "link the Swift libraries statically"
    case .staticExecutable: "link everything statically"
    case .foundationEssentials: "import only FoundationEssentials"
    case .dropLibrary: "do without \(subject)"
    case .deferOpening: "open \(subject) after the launch"
    case .lazyInitializer: "make \(subject) lazy"
    case .moveGlobal: "use \(subject) later, or initialise it on another thread"
    case .moveInterval: "move \(subject) off the main thread"
    case .parallelPhases: "run \(subject) in parallel"
    case .parallelTasks: "run the tasks \(subject) in parallel"
    case .prefetch: "read the files before the launch"
    }
  }

  /// What it changes, without a name.
  package var anySubject: String {
    switch self {
    case .dropLibrary, .deferOpening: "a library"
    case .lazyInitializer: "a static initialiser"
    case .moveGlobal: "a global"
    case .moveInterval: "an interval"
    case .parallelPhases: "phases"
    case .parallelTasks: "of a graph"
    case .staticStdlib, .staticExecutable, .foundationEssentials, .prefetch: ""
    }
  }

  /// How it is done.
  package var how: String {
    switch self {
    case .staticStdlib: "swift build -c release --static-swift-stdlib, or swiftc -static-stdlib"
    case .staticExecutable:
      "swift build -c release -Xswiftc -static-executable, swiftc -static-executable, or cc -static. Every library needs a static "
        + "form. The program cannot open libraries with dlopen."
    case .foundationEssentials:
      "import FoundationEssentials in each source file and in each dependency. It has no formatters, no regular expressions of "
        + "Foundation, no Process and no URLSession."
    case .dropLibrary:
      "do not link it (in a Swift package: remove its import and its product from the target), or load it with dlopen when it is "
        + "first needed"
    case .deferOpening: "call dlopen where its first function is needed, after the launch"
    case .lazyInitializer:
      "in C++, put the object into a function as a static variable; in C, call the function when needed"
    case .moveGlobal:
      "do not use the global during the launch, or use it on another thread before the main thread needs it"
    case .moveInterval:
      "start it with Task.detached or a thread, and wait for it where its result is needed; or begin it after the first frame"
    case .parallelPhases: "start each with async let, and wait for all of them. They must not depend on each other."
    case .parallelTasks:
      "make them LaunchTask(…), not .onMainThread(…), where they need not be there, and remove dependencies that they do not need"
    case .prefetch:
      "read the files that it waited for beforehand, for example when the session starts: cat FILES > /dev/null. It saves "
        + "nothing if they are already in memory."
    }
  }

  /// Whether `what-if --prove` makes it by itself, from the command that builds the program.
  package var isProvable: Bool { self == .staticStdlib || self == .staticExecutable }

  /// Whether it is a change of the source, after which the compiler arranges the rest of the program differently.
  var compilesRest: Bool { self == .deferOpening || self == .lazyInitializer }
}
