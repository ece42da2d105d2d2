// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Breakpoint instructions in the functions that are watched, and at the address where their calls return to.
struct CallTraps {
  private let processID: Int32
  private var inserted: [lo_software_breakpoint] = []
  /// Addresses of the functions, and the place of their records.
  private(set) var functions: [UInt64: UInt64] = [:]
  /// Where calls return to; nil until the functions have breakpoints.
  private(set) var landing: UInt64?
  /// What is mapped from files, as it was when the breakpoints were set.
  private(set) var mappings: [PerfEvents.Mapping] = []
  /// The code has a probe of another program.
  private(set) var isProbed = false
  /// ns from continuing a thread until its next stop is seen.
  private(set) var roundTrip: Int64 = 0

  /// push %rbp; int3
  private static let push: UInt8 = 0x55
  private static let trap: UInt8 = 0xcc
  private static let measuredSteps = 8

  init(processID: Int32) { self.processID = processID }

  /// Sets the breakpoints. The process has stopped, and its code is mapped.
  ///
  /// - Parameters:
  ///   - offsets: paths of files with the code, and where in the file it is.
  ///   - address: code that is never executed again.
  /// - Returns: a signal that came meanwhile, to be delivered; 0 for none.
  mutating func insert(_ offsets: [String: [RuntimeProbes.FunctionOffset]], landing address: UInt64) -> Int32 {
    let signal = measureRoundTrip()
    mappings = ProcessMaps.code(of: processID)
    for mapping in mappings {
      for function in offsets[mapping.path] ?? []
      where function.offset >= mapping.offset && function.offset - mapping.offset < mapping.length {
        let address = mapping.address + (function.offset - mapping.offset)
        var first: UInt8 = 0
        guard lo_read_memory(processID, address, &first, 1) == 0 else { continue }
        // If another program has a probe there, the kernel handles it before a tracer, and later removes our breakpoint with it.
        if first == Self.trap { isProbed = true }
        guard first == Self.push, add(address) else { continue }
        functions[address] = function.place
      }
    }
    if !functions.isEmpty, add(address) {
      landing = address
    } else {
      remove(from: processID)
      functions = [:]
    }
    return signal
  }

  private mutating func add(_ address: UInt64) -> Bool {
    var breakpoint = lo_software_breakpoint()
    guard lo_trace_insert(processID, address, &breakpoint) == 0 else { return false }
    inserted.append(breakpoint)
    return true
  }

  /// - Parameter process: that of the breakpoints, or one with a copy of its memory. It has stopped.
  func remove(from process: Int32) {
    for var breakpoint in inserted { _ = lo_trace_remove(process, &breakpoint) }
  }

  /// Steps through the program's next instructions. Each step is a round trip like that of a breakpoint.
  private mutating func measureRoundTrip() -> Int32 {
    var times: [Int64] = []
    var signal: Int32 = 0
    for _ in 0..<Self.measuredSteps where signal == 0 {
      let start = Int64(lo_now())
      guard lo_trace_step(processID, &signal) else { break }
      times.append(Int64(lo_now()) - start)
    }
    // A busy machine makes steps longer, so the shortest one counts. If the cost is too small, times stay too long. If it is
    // too large, times would lose the program's own work.
    roundTrip = times.min() ?? 0
    return signal
  }
}
