// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport

/// Names the functions of a program in stacks, by the program's symbols.
struct NamedStacks {
  private let program: String
  private let ranges: [(name: String, address: UInt64, size: UInt64)]

  init(_ program: String, functions: [String], in directory: TemporaryDirectory) throws {
    self.program = program
    ranges = try functions.map {
      let function = try Compiler.function($0, of: program, in: directory)
      return ($0, function.address, function.size)
    }
  }

  /// The stacks of samples, outermost first: the program's functions by name, others by their library.
  func samples(_ trace: Trace) -> [[String]] { trace.samples.stack.map { names($0, trace) } }

  /// The same of waits.
  func waits(_ trace: Trace) -> [[String]] { trace.waitStacks.stack.map { names($0, trace) } }

  private func names(_ row: Int32, _ trace: Trace) -> [String] {
    var (row, names) = (Int(row), [String]())
    while row >= 0 {
      let image = trace.strings[StringID(rawValue: trace.stacks[row].image)]
      let address = trace.stacks[row].address
      let place = ranges.first { image == program && $0.address <= address && address < $0.address + $0.size }
      names.append(place?.name ?? String(image.split(separator: "/").last ?? ""))
      row = Int(trace.stacks.caller[row])
    }
    return names.reversed()
  }
}
