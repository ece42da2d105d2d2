/// Programs that are there to execute another one: shells and the commands that change something and then step aside.
///
/// A process that runs one stays attached to until it executes its program, so that the program's first instruction is
/// not missed. Others are let go at once: who runs for its own sake may look after who is attached to it.
enum Wrappers {
  private static let names: Set<String> = [
    "sh", "dash", "bash", "zsh", "ksh", "ksh93", "mksh", "fish", "busybox", "env", "nice", "ionice", "nohup", "setsid",
    "stdbuf", "taskset", "chrt", "numactl", "setarch", "setpriv", "prlimit", "unshare", "chroot",
  ]

  static func contains(_ path: String) -> Bool { names.contains(fileName(path)) }
}
