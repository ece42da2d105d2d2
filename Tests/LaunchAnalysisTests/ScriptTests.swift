// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// Samples see the interpreter of a script, not the functions of the script.
struct ScriptTests {
  private typealias Frame = SampleLaunch.Frame
  private let millisecond: Int64 = 1_000_000

  private func launch(_ program: String) -> SampleLaunch {
    var launch = SampleLaunch()
    launch.launcher(exit: 200 * millisecond, isInstrumented: false, [("program", .string(program))])
    return launch
  }

  private func findings(_ launch: SampleLaunch) -> [Finding] {
    LaunchTimeline(trace: launch.trace()).findings.filter { $0.id == FindingName.mainThreadOverBudget }
  }

  /// An import inside an import was a finding beside the one around it: "_PyEval_EvalFrameDefault (3 times)".
  @Test func theOutermostCallOfAnInterpreterHasTheTime() throws {
    let python = "/usr/bin/python3.11"
    func frames(_ names: String...) -> [Frame] { names.map { Frame($0, image: python) } }
    let outer = frames("_start", "main", "Py_RunMain", "_PyEval_EvalFrameDefault")
    let inner = outer + frames("import_name", "_PyEval_EvalFrameDefault.part.0")
    var launch = launch(python)
    launch.samples(outer, from: 10 * millisecond, to: 15 * millisecond)
    launch.samples(inner, from: 15 * millisecond, to: 33 * millisecond)
    launch.samples(
      inner + frames("import_name", "_PyEval_EvalFrameDefault"), from: 33 * millisecond, to: 50 * millisecond)
    launch.samples(inner + frames("r_object"), from: 50 * millisecond, to: 70 * millisecond)
    let findings = findings(launch)
    try #require(findings.map(\.subject) == ["_PyEval_EvalFrameDefault", "r_object"])
    #expect(findings[0].actual == 40 * millisecond && findings[0].occurrences == 1)
    #expect(findings[0].path.last == "Py_RunMain")
    #expect(
      findings[0].advice.hasPrefix("This is Python's interpreter: a script took the time. PYTHONPROFILEIMPORTTIME=1"))
    // Work of the interpreter itself.
    #expect(findings[1].advice.hasPrefix("Make the program do less of it"))
  }

  /// Without a name, compiled code is a part of the script; with one, it is a function of it.
  @Test(arguments: ["", "JS:~load /srv/app.js"]) func compiledCodeIsOfTheScript(function: String) throws {
    let node = "/usr/bin/node"
    let entry = ["_start", "main", "node::Start(int, char**)", "Builtins_JSEntry"].map { Frame($0, image: node) }
    let call = [
      Frame(function, image: "/[compiled]", address: 0x10), Frame("Builtins_InterpreterEntryTrampoline", image: node),
    ]
    var launch = launch(node)
    launch.samples(entry + call, from: 10 * millisecond, to: 30 * millisecond)
    launch.samples(entry + call + call, from: 30 * millisecond, to: 50 * millisecond)
    let finding = try #require(findings(launch).first)
    #expect(findings(launch).allSatisfy { !$0.subject.hasPrefix("Builtins_Inter") && !$0.subject.hasPrefix("[comp") })
    #expect(finding.subject == (function.isEmpty ? "Builtins_JSEntry" : function))
    if function.isEmpty { #expect(finding.advice.contains("node --cpu-prof writes a profile")) }
  }

  /// A distribution may have the whole interpreter in a library.
  @Test func theLibraryOfAnInterpreterIsItsProgram() throws {
    let library = "/usr/lib64/libpython3.12.so.1.0"
    let stack = [
      Frame("main", image: "/usr/bin/python3"), Frame("Py_BytesMain", image: library),
      Frame("_PyEval_EvalFrameDefault", image: library),
    ]
    var launch = launch("/usr/bin/python3")
    launch.samples(stack, from: 10 * millisecond, to: 50 * millisecond)
    #expect(findings(launch).map(\.subject) == ["_PyEval_EvalFrameDefault"])
  }

  /// gdb: its function is what the reader can avoid, and the script is the reason.
  @Test func aProgramWithAnInterpreterHasItsOwnFunction() throws {
    let library = "/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0"
    var launch = launch("/usr/bin/gdb")
    let stack = [Frame("load_python", image: "/usr/bin/gdb"), Frame("_PyEval_EvalFrameDefault", image: library)]
    launch.samples(stack, from: 10 * millisecond, to: 50 * millisecond)
    let finding = try #require(findings(launch).first)
    #expect(finding.subject == "load_python")
    #expect(finding.advice.hasPrefix("Most of it is in Python's interpreter: a script took the time."))
  }

  @Test func aFunctionOfTheSameNameIsNoInterpreter() throws {
    var launch = launch("/usr/bin/notes-server")
    launch.samples(["main", "vm_exec", "vm_exec"], from: 10 * millisecond, to: 50 * millisecond)
    #expect(try #require(findings(launch).first).advice.hasPrefix("Make the program do less of it"))
  }
}
