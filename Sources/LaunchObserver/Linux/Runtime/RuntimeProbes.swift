// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// Probes in functions of Swift's runtime, in all files of the programs that are launched.
final class RuntimeProbes {
  /// The probes with which a launch was watched.
  struct Watched: Equatable {
    enum Means { case probes, ptrace }

    var means = Means.probes
    /// Functions, each in a file.
    var copies = 0
    /// Which ones.
    var functions: Set<RuntimeFunction> = []
    /// True if records show what a probe costs between the record of a call and that of its return.
    var isCalibrated = false
    /// How much longer a watched call takes with its return, ns; nil if unknown.
    var callCost: Int64?
    /// The part of this time between the two records, ns; nil if the records show it.
    var insideCost: Int64?
  }

  private(set) var watched = Watched()
  /// Why nothing can be watched, for people; empty when it is.
  private(set) var shortcoming = ""
  /// What is watched of the runtime; changed between series.
  var details: Set<RuntimeDetail> = []
  /// Files with code that is watched, and where in the file it is.
  private(set) var offsets: [String: [FunctionOffset]] = [:]

  struct FunctionOffset {
    /// The number that identifies its records.
    var place: UInt64
    /// In the file.
    var offset: UInt64
    var isCounted: Bool
  }

  /// The place of a function of our own, whose records show what a probe costs.
  static let calibration: UInt64 = .max
  private var programs: Set<String> = []
  private var files: Set<String> = []

  /// More calls would not make the result more exact.
  private static let calibrationCalls = 64

  /// Sets probes in the runtime code of a program and of its libraries. Once for a series of launches.
  func watch(program: String, _ rings: PerfRings, _ images: ImageCache) {
    guard let program = realPath(program), programs.insert(program).inserted, let image = images.image(program) else {
      return
    }
    let libraries = image.interpreter.flatMap { try? LibraryClosure.paths(of: program, loader: $0) } ?? []
    for path in [program] + libraries.compactMap(realPath) where files.insert(path).inserted {
      let found = images.runtimeOffsets(path)
      let watched = RuntimeFunction.allCases.filter { details.contains($0.detail) }.compactMap { function in
        found[function].map {
          FunctionOffset(place: function.place(inFile: offsets.count), offset: $0, isCounted: function.isCounted)
        }
      }
      if watched.isEmpty { continue }
      offsets[path] = watched
      for function in watched { add(path, function, rings) }
    }
    if watched.copies == 0, shortcoming.isEmpty {
      shortcoming = "no code of Swift's runtime was found in the program and its libraries"
    } else if watched.copies > 0 {
      shortcoming = ""
    }
  }

  private func add(_ path: String, _ function: FunctionOffset, _ rings: PerfRings) {
    switch rings.addProbes(path, offset: function.offset, place: function.place, isCounted: function.isCounted) {
    case .success:
      watched.copies += 1
      if let function = RuntimeFunction(place: function.place) { watched.functions.insert(function) }
      if !watched.isCalibrated { addCalibration(rings) }
    case .failure(let refusal): shortcoming = refusal.reason
    }
  }

  // MARK: Cost

  /// A probe in a function of our own.
  private func addCalibration(_ rings: PerfRings) {
    let address = lo_probe_target_address()
    let home = ProcessMaps.code(of: getpid()).first { $0.address <= address && address - $0.address < $0.length }
    guard let home else { return }
    let offset = address - home.address + home.offset
    if case .success = rings.addProbes(home.path, offset: offset, place: Self.calibration, isOfLauncher: true) {
      watched.isCalibrated = true
    }
  }

  /// Measures once what a watched call costs. The records are in the rings afterwards.
  func measureCost() {
    guard watched.isCalibrated else { return }
    func typicalTime(_ body: () -> Void) -> Int64 {
      (0..<Self.calibrationCalls).map { _ in
        let start = lo_now()
        body()
        return Int64(lo_now() - start)
      }.median
    }
    watched.callCost = max(0, typicalTime { lo_probe_target() } - typicalTime {})
  }
}

extension [Int64] {
  /// The middle one; 0 of none.
  var median: Int64 { isEmpty ? 0 : sorted()[count / 2] }
}
