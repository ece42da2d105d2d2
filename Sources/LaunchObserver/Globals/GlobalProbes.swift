internal import CLaunchObserver
import Glibc

/// Probes in the code with which Swift's runtime initialises lazy globals, in all files of the programs that are launched.
final class GlobalProbes {
  /// What a launch was watched with.
  struct Watched: Equatable {
    enum Means { case probes, ptrace }

    var means = Means.probes
    /// Copies of the code.
    var copies = 0
    /// Whose records say what a probe costs from the record of a call to that of its return.
    var calibration: UInt64?
    /// ns that a watched call takes longer, its return included; nil where that is not known.
    var callCost: Int64?
    /// ns of that between the two records; nil where the records say it.
    var insideCost: Int64?
  }

  private(set) var watched = Watched()
  /// Why no globals can be watched, for people; empty when they are.
  private(set) var shortcoming = ""
  /// Files with a copy of the code, and where in the file it is.
  private(set) var offsets: [String: UInt64] = [:]
  private var programs: Set<String> = []
  private var files: Set<String> = []

  /// More say no more.
  private static let calibrationCalls = 64

  /// Watches a program's copies of the code, and those of its libraries; once for a series of launches.
  func watch(program: String, _ rings: PerfRings, _ images: ImageCache) {
    guard let program = realPath(program), programs.insert(program).inserted, let image = images.image(program) else {
      return
    }
    let libraries = image.interpreter.flatMap { try? LibraryClosure.paths(of: program, loader: $0) } ?? []
    for path in [program] + libraries.compactMap(realPath) where files.insert(path).inserted {
      guard let offset = images.onceOffset(path) else { continue }
      offsets[path] = offset
      add(path, offset, rings)
    }
    if watched.copies == 0, shortcoming.isEmpty {
      shortcoming = "no code of Swift's runtime was found in the program and its libraries"
    } else if watched.copies > 0 {
      shortcoming = ""
    }
  }

  private func add(_ path: String, _ offset: UInt64, _ rings: PerfRings) {
    switch rings.addProbes(path, offset: offset, place: UInt64(files.count)) {
    case .success:
      watched.copies += 1
      if watched.calibration == nil { addCalibration(rings) }
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
    if case .success = rings.addProbes(home.path, offset: offset, place: .max) { watched.calibration = .max }
  }

  /// Measures what a watched call costs, once; the records lie in the rings afterwards.
  func measureCost() {
    guard watched.calibration != nil else { return }
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

func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}
