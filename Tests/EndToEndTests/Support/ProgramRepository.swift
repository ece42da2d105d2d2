// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport

extension Launchprof {
  /// Makes a git repository of a C program in the directory. One shell does it: to start each git from here took longer
  /// than most tests.
  ///
  /// - Parameter script: makes the commits. `commit SUBJECT INITIALIZERS [LOOPS [CODE]]` makes one of a program with so
  ///   many initialisers, so many loops in `main`, and this code at its end.
  func makeRepository(_ script: String) throws {
    let start = """
      git() { command git -c user.name=Test -c user.email=test@example.org "$@"; }
      commit() {
        {
          echo "/* $1 */"
          echo "static volatile unsigned long sum;"
          for number in $(seq "$2"); do
            echo "__attribute__((constructor)) static void start$number(void) { sum++; }"
          done
          echo "int main(void) { for (unsigned long i = 0; i < ${3:-1}; i++) sum += i; return 0; }"
          echo "${4:-}"
        } >main.c
        git add main.c
        git commit -q -m "$1"
      }
      git init -q -b main

      """
    let run = try TestProcess.run("/bin/sh", ["-euc", start + script], directory: directory.path)
    guard run.succeeded else { throw ToolFailure(run.errorText) }
  }
}
