// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Programs whose purpose is to execute another one: shells, commands that change something and then run a program, and
/// those that choose the compiler or tool of a toolchain. They do so from their first thread: the kernel does not tell the
/// launcher of an execve(2) by another one.
///
/// The launcher stays attached to a process that runs one until it executes its program, so as not to miss that
/// program's first instruction. It detaches from other programs at once, because they might check whether they are
/// traced.
enum Wrappers {
  private static let names: Set<String> = [
    "sh", "dash", "bash", "zsh", "ksh", "ksh93", "mksh", "fish", "busybox", "env", "nice", "ionice", "nohup", "setsid",
    "stdbuf", "taskset", "chrt", "numactl", "setarch", "setpriv", "prlimit", "unshare", "chroot",
    "swift-driver", "rustup",
  ]

  static func contains(_ path: String) -> Bool { names.contains(fileName(path)) }
}
