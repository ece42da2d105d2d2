// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Programs whose purpose is to execute another one: shells, and commands that change something and then run a program.
///
/// The launcher stays attached to a process that runs one until it executes its program, so as not to miss that
/// program's first instruction. It detaches from other programs at once, because they might check whether they are
/// traced.
enum Wrappers {
  private static let names: Set<String> = [
    "sh", "dash", "bash", "zsh", "ksh", "ksh93", "mksh", "fish", "busybox", "env", "nice", "ionice", "nohup", "setsid",
    "stdbuf", "taskset", "chrt", "numactl", "setarch", "setpriv", "prlimit", "unshare", "chroot",
  ]

  static func contains(_ path: String) -> Bool { names.contains(fileName(path)) }
}
