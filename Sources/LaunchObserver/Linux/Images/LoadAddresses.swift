// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import LaunchSystem

/// The run-time addresses of the points of loading in a process.
struct LoadAddresses: Equatable {
  /// The loader's first instruction; nil without one.
  var loader: UInt64?
  /// `_dl_debug_state` of the loader: reached when loading begins, and when everything is mapped and relocated.
  var notification: UInt64?
  /// `_start`; nil for a loader that was executed itself, until it has mapped its program.
  var entry: UInt64?
  var main: UInt64?

  /// The points that need a breakpoint although the kernel reports mappings and the start. Each breakpoint costs the
  /// program more than all of the kernel's reports, most of all in a virtual machine.
  ///
  /// - Parameter isStopped: the program has not begun to run.
  func untold(isStopped: Bool) -> [UInt64] {
    let isEntryTold = loader == nil && isStopped
    return [main, isEntryTold || (main != nil && loader != nil) ? nil : entry].compactMap(\.self)
  }

  /// All points, the most important first.
  var all: [UInt64] { [notification, main, entry, loader].compactMap(\.self) }

  /// None is known.
  init() {}

  /// For a process that has just executed a program. nil if the program is not 64-bit, or this user may not inspect it.
  init?(processID: Int32, images: ImageCache) {
    let executable = ProcessFiles.folder(processID) + "/exe"
    let vector = ProcessFiles.auxiliaryVector(of: processID)
    guard let entry = vector[9], let program = images.image(executable) else { return nil }
    let bias = entry &- program.entry
    if program.interpreter == nil, images.isLoader(executable) {
      loader = entry
      notification = images.notification(executable).map { $0 &+ bias }
      return
    }
    self.entry = entry
    main = images.main(executable).map { $0 &+ bias }
    // AT_BASE: the loader's address.
    if let base = vector[7], base != 0, let name = program.interpreter,
      let path = Self.file(at: base, of: processID, name), let image = images.image(path)
    {
      loader = base &+ image.entry
      notification = images.notification(path).map { $0 &+ base }
    }
  }

  /// Where the launcher finds the loader: with another root (chroot, bwrap), the program has another file at this path.
  ///
  /// - Returns: nil if no file has the page that is in memory. Breakpoint instructions at its addresses would break the program.
  private static func file(at address: UInt64, of processID: Int32, _ path: String) -> String? {
    var page = [UInt8](repeating: 0, count: 4096)
    guard lo_read_memory(processID, address, &page, page.count) == 0 else { return path }
    return [path, "\(ProcessFiles.folder(processID))/root\(path)"].first { path in
      let head = (try? fileHead(path, limit: page.count)) ?? []
      return !head.isEmpty && page.starts(with: head)
    }
  }
}

extension LoadAddresses {
  /// A process executed a loader, which has now notified of the first libraries: `ld.so program`.
  ///
  /// - Returns: the program that it has mapped, and this with its points; nil if it has mapped none.
  func program(mappedIn processID: Int32, images: ImageCache) -> (path: String, addresses: LoadAddresses)? {
    for mapping in ProcessMaps.code(of: processID) where mapping.isOfFile {
      let path = "\(ProcessFiles.folder(processID))/root\(mapping.path)"
      // glibc's C library has a loader, too.
      guard !fileName(mapping.path).hasPrefix("libc.so"), let image = images.image(path), image.interpreter != nil,
        let start = image.address(ofOffset: mapping.offset)
      else { continue }
      let bias = mapping.address &- start
      var addresses = self
      addresses.entry = image.entry &+ bias
      addresses.main = images.main(path).map { $0 &+ bias }
      return (mapping.path, addresses)
    }
    return nil
  }
}
