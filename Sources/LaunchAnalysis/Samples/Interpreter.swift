// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The interpreter of a language. Samples see one function that runs all scripts, and calls itself through others. Its time is that
/// of a script, and only a tool of the language shows the functions of that.
struct Interpreter {
  var language: String
  /// How the names of its programs and libraries begin.
  private var files: [String]
  /// The functions that run scripts.
  private var functions: Set<String> = []
  /// How their names begin, if there are many.
  private var prefix: String? = nil
  /// A sentence about a tool that shows the functions of a script; empty if none is usual.
  var tool = ""

  private static let all = [
    Interpreter(
      language: "Python", files: ["python", "libpython"],
      functions: ["_PyEval_EvalFrameDefault", "PyEval_EvalFrameEx"],
      tool: "PYTHONPROFILEIMPORTTIME=1 times its imports, and python3 -m cProfile its functions."),
    Interpreter(
      language: "JavaScript", files: ["node", "libnode"], prefix: "Builtins_",
      tool: "node --cpu-prof writes a profile with its functions, and launchprof report reads that."),
    Interpreter(
      language: "Perl", files: ["perl", "libperl"], functions: ["Perl_runops_standard", "Perl_runops_debug"],
      tool: "perl -d:NYTProf times its functions."),
    Interpreter(
      language: "Ruby", files: ["ruby", "libruby"], functions: ["rb_vm_exec", "vm_exec", "vm_exec_core"],
      tool: "The gem stackprof shows its functions."),
    Interpreter(
      language: "PHP", files: ["php", "libphp"], functions: ["execute_ex"],
      tool: "The profiler of Xdebug shows its functions."),
    Interpreter(language: "Lua", files: ["lua", "liblua"], functions: ["luaV_execute"]),
    Interpreter(
      language: "Bash", files: ["bash"], functions: ["execute_command_internal"],
      tool: "PS4='$EPOCHREALTIME ' bash -x shows when each of its commands began."),
  ]

  /// - Parameter image: path of the program or library that has the function.
  /// - Returns: nil unless the function runs scripts.
  static func running(_ function: String, in image: String) -> Interpreter? {
    // Compilers add suffixes to the names of copies and parts.
    let name = String(function.prefix { $0 != "." && $0 != "@" })
    return all.first {
      ($0.functions.contains(name) || $0.prefix.map(name.hasPrefix) == true) && $0.has(image)
    }
  }

  /// Whether a program or library is of the interpreter.
  func has(_ path: String) -> Bool {
    let file = fileName(path)
    return files.contains { file.hasPrefix($0) }
  }
}
