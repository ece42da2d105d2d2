// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

/// Stacks with addresses, and the symbols for them.
struct NamedFramesTests {
  private var builder = TraceBuilder(format: .perfetto)
  private let path = "/bin/app"

  private mutating func frame(_ caller: Int32, _ address: UInt64, function: String = "", buildID: String = "aa")
    -> Int32
  {
    builder.frame(
      caller: caller,
      StackTable.Frame(
        function: builder.string(function), image: builder.string(path), buildID: builder.string(buildID),
        address: address))
  }

  private mutating func symbol(_ address: UInt64, _ functions: [(String, Int)], buildID: String = "aa") {
    for (function, line) in functions {
      builder.trace.moduleSymbols.append(
        ModuleSymbol(
          path: path, buildID: buildID, address: address, function: function, file: line > 0 ? "a.swift" : "",
          line: line)
      )
    }
  }

  /// `outer:1;inner:2` for the stack of each sample.
  private func stacks(_ trace: Trace) -> [String] {
    trace.samples.stack.map { stack in
      var frames: [String] = []
      var row = stack
      while row >= 0 {
        let frame = trace.stacks[Int(row)]
        let name = trace.strings[StringID(rawValue: frame.function)]
        frames.append(frame.line > 0 ? "\(name):\(frame.line)" : name)
        row = trace.stacks.caller[Int(row)]
      }
      return frames.reversed().joined(separator: ";")
    }
  }

  private mutating func sample(_ stack: Int32) {
    builder.sample(track: nil, time: Int64(builder.trace.samples.count), stack: stack, weight: 1)
  }

  @Test mutating func inlinedFunctionsAreFrames() {
    let main = frame(-1, 1)
    let work = frame(main, 2)
    for stack in [work, main, -1, frame(work, 3, function: "known already")] { sample(stack) }
    symbol(1, [("main", 10)])
    symbol(2, [("innermost", 1), ("inner", 2), ("work", 3)])
    let named = builder.finish().withNamedFrames()
    #expect(
      stacks(named) == [
        "main:10;work:3;inner:2;innermost:1", "main:10", "", "main:10;work:3;inner:2;innermost:1;known already",
      ])
    #expect(named.stacks.frames.map(\.address) == [1, 2, 2, 2, 3])
  }

  @Test mutating func symbolsAreThoseOfTheBuild() {
    sample(frame(-1, 1))
    symbol(1, [("other", 1)], buildID: "bb")
    #expect(stacks(builder.trace.withNamedFrames()) == [""])
    symbol(1, [("first", 1)])
    symbol(1, [("between", 1)], buildID: "cc")
    symbol(1, [("second", 2)])
    #expect(stacks(builder.finish().withNamedFrames()) == ["second:2"])
  }

  @Test mutating func whatTheCompilerMadeReadsAsWhatWasWritten() {
    let resumption = frame(-1, 1, function: "$s1a5otherySiSiYaFTQ1_")
    let thunk = frame(resumption, 2, function: "partial apply forwarder for closure #1 () -> () in a.f() -> ()")
    let adapter = frame(thunk, 3, function: "reabstraction thunk helper from () -> () to () -> ()")
    let closure = frame(
      adapter, 4, function: "generic specialization <Swift.Int> of closure #1 () -> () in a.f() -> ()")
    for stack in [resumption, thunk, adapter, closure, frame(closure, 5, function: "_ZN4burn4SlowC1Ev")] {
      sample(stack)
    }
    let function = "a.other(Int) async -> Int"
    let written = "closure #1 () -> () in a.f() -> ()"
    #expect(
      stacks(builder.finish().withNamedFrames()) == [
        function, "\(function);\(written)", "\(function);reabstraction thunk", "\(function);\(written)",
        "\(function);\(written);burn::Slow::Slow()",
      ])
  }

  @Test mutating func aHostileFileGetsNoMoreFramesThanItDeserves() {
    for address in 1...500 as ClosedRange<UInt64> { sample(frame(-1, address)) }
    for address in 1...500 as ClosedRange<UInt64> { symbol(address, (0..<500).map { ("f\($0)", 1) }) }
    let named = builder.finish().withNamedFrames()
    #expect(named.stacks.count <= 500 * 128)
    #expect(named.samples.stack.allSatisfy { $0 >= 0 && $0 < named.stacks.count })
  }
}
