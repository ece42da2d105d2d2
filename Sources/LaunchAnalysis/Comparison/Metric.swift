// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// A number of a launch that can be compared.
package struct Metric: Hashable, Sendable {
  package enum Group: String, Sendable, CaseIterable {
    /// The launch's wall time.
    case total
    /// A resource that the process used.
    case resource
    /// The main thread's waits of one kind, by the name of a `ThreadState`.
    case state
    /// A phase, by its path.
    case phase
    /// The initialisers of one library or of the program, and its relocations if they were timed.
    case library
    /// The intervals of one name, on all threads. An interval inside another of the same name does not count.
    case interval
    /// From the start to a milestone. Budgets apply to it; it is not compared, because phases are.
    case milestone
    /// The longest interval of a name, on any thread. Budgets apply to it; it is not compared, because `interval` is.
    case longest
    /// The longest phase of a path that occurs several times. Budgets apply to it; it is not compared, because `phase` is.
    case longestPhase = "longest-phase"

    /// Whether a comparison looks for changes of it.
    package var isCompared: Bool { self != .milestone && !isLongest }
    /// True for what only `intervals:` and `phases:` of launch-budgets.yml limit. Lists of metrics leave it out.
    package var isLongest: Bool { self == .longest || self == .longestPhase }
  }

  package enum Unit: String, Sendable {
    case nanoseconds = "ns"
    case bytes
    case count
  }

  package var group: Group
  /// For a phase, the names from the outermost one to it; otherwise one name.
  package var path: [String]

  package init(_ group: Group, _ path: [String]) { (self.group, self.path) = (group, path) }
  private init(_ count: ExactCount) { self.init(.resource, [count.rawValue]) }

  package static func state(_ state: ThreadState) -> Metric { Metric(.state, [state.name]) }

  package var name: String { path.last ?? "" }

  /// Its name on the command line and in configurations: `total`, `cpu`, `phase/main`, `interval/open database`.
  package var id: String {
    switch group {
    case .total, .resource: name
    case .state, .phase, .library, .interval, .milestone, .longest, .longestPhase:
      "\(group.rawValue)/\(path.joined(separator: "/"))"
    }
  }

  /// Whether this metric matches an id, name, group or beginning of a path.
  package func isNamed(_ asked: String) -> Bool {
    id == asked || group.rawValue == asked || name == asked || id.hasPrefix(asked + "/")
  }

  package var unit: Unit { group == .resource ? resource?.unit ?? .count : .nanoseconds }
  /// Whether it never varies. Then it is compared exactly, not by its distribution.
  var isExact: Bool { group == .resource && ExactCount(rawValue: name) != nil }
  /// The smallest change of a resource that counts, in its unit.
  var leastChange: Double { resource?.leastChange ?? 0 }

  private typealias Resource = (unit: Unit, leastChange: Double)

  private var resource: Resource? { group == .resource ? Self.resources[name] : nil }

  /// Metrics of which a launch has one number, by name. docs/gate.md says what each counts.
  private static let resources: [String: Resource] = [
    cpu.name: (.nanoseconds, 0), onCore.name: (.nanoseconds, 0),
    minorFaults.name: (.count, 16), majorFaults.name: (.count, 8),
    voluntarySwitches.name: (.count, 8), involuntarySwitches.name: (.count, 8),
    readBytes.name: (.bytes, 65_536), residentBytes.name: (.bytes, 1_048_576),
    mappedLibraries.name: (.count, 0), openedLibraries.name: (.count, 0), mappedBytes.name: (.bytes, 0),
    lazyGlobals.name: (.count, 0), firstLookups.name: (.count, 0),
  ]

  /// The groups of which a comparison has a metric for each name.
  package static let namedGroups = [Group.state, .phase, .library, .interval].map(\.rawValue)
  /// What can be asked of any comparison: a group, or a metric of which a launch has one number.
  package static let words: [String] = Group.allCases.filter(\.isCompared).map(\.rawValue) + resources.keys.sorted()

  /// The unit of the metric that an id names, as far as the id alone tells.
  static func unit(ofID id: String) -> Unit? {
    if let resource = resources[id] { return resource.unit }
    let isTime = id == total.name || Group.allCases.contains { id.hasPrefix($0.rawValue + "/") }
    return isTime ? .nanoseconds : nil
  }

  package static let total = Metric(.total, ["total"])
  /// User and system time of the whole process, of all threads.
  package static let cpu = Metric(.resource, ["cpu"])
  /// Wall time without the time during which the launch waited for a processor: the main thread, or the thread that it
  /// waited for (D255).
  package static let onCore = Metric(.resource, ["on-core"])
  /// Page faults of the whole process that the kernel met without reading, and with reading.
  package static let minorFaults = Metric(.resource, ["minor-faults"])
  package static let majorFaults = Metric(.resource, ["major-faults"])
  /// How often the process gave up its processor, and how often it lost it to another.
  static let voluntarySwitches = Metric(.resource, ["voluntary-switches"])
  static let involuntarySwitches = Metric(.resource, ["involuntary-switches"])
  static let readBytes = Metric(.resource, ["read-bytes"])
  static let residentBytes = Metric(.resource, ["resident-bytes"])
  /// From `LoadedLibraries`.
  package static let mappedLibraries = Metric(.mappedLibraries)
  package static let openedLibraries = Metric(.openedLibraries)
  package static let mappedBytes = Metric(.mappedBytes)
  /// From `FirstTimes`.
  package static let lazyGlobals = Metric(.lazyGlobals)
  package static let firstLookups = Metric(.firstLookups)
  package static let firstTimes = [lazyGlobals, firstLookups]

  /// Whether it depends on the means by which the launch was observed from outside. With breakpoint instructions, for
  /// example, `load` contains the relocations.
  var dependsOnMeans: Bool {
    switch group {
    case .state, .library: true
    case .phase: Self.outerPhases.contains(path.first ?? "")
    case .interval: name == LS_EVENT_DLOPEN
    case .total, .resource, .milestone, .longest, .longestPhase: false
    }
  }

  private static let outerPhases = PhaseName.beforeMain.union([PhaseName.main, PhaseName.exit, PhaseName.unattributed])
}
