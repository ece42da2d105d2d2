// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Other network namespaces than the launcher's, which a program has entered: `unshare -n`, `ip netns exec`, a sandbox. sock_diag(7)
/// does not tell of their sockets.
struct ForeignNetworks {
  private let own = linkTarget("/proc/self/ns/net")

  /// The listening sockets in those of a process and its children. A sandbox starts the program as its child.
  func listeners(of process: Int32) -> [Listener] {
    guard let own else { return [] }
    let children = fileText(ProcessFiles.folder(ofThread: process, of: process) + "/children") ?? ""
    var known: Set<String> = [own]
    return ([process] + children.split(separator: " ").compactMap { Int32($0) }).flatMap { member -> [Listener] in
      let folder = ProcessFiles.folder(member)
      guard let network = linkTarget(folder + "/ns/net"), known.insert(network).inserted else { return [] }
      return Listener.fromProc(folder)
    }
  }
}
