// SPDX-License-Identifier: Apache-2.0

/// The files with symbols of one image: the image, its debug file, or both.
struct ImageFiles: Sendable {
  /// The file with the best symbol tables comes first.
  var tables: [ELFFile]
  /// The file with DWARF.
  var debugInformation: ELFFile?

  /// Whether they name more than the functions that other images may call.
  var hasNames: Bool { debugInformation != nil || tables.contains(where: \.hasSymbolTable) }

  /// Where Debian, Fedora and Arch put debug files.
  static let systemDebugRoot = "/usr/lib/debug"

  /// - Parameter debugRoots: directories with a `.build-id` directory.
  init(_ files: [ELFFile], debugRoots: [String] = [systemDebugRoot]) {
    var files = files
    if !files.contains(where: \.hasDebugInformation), let image = files.first,
      let debug = Self.debugFile(of: image, roots: debugRoots)
    {
      files.append(debug)
    }
    debugInformation = files.first(where: \.hasDebugInformation)
    tables = files.filter(\.hasSymbolTable) + files.filter { !$0.hasSymbolTable }
  }

  /// The separate debug file of an image, by build id, or by its debug link, as in gdb ("Debugging Information in
  /// Separate Files").
  private static func debugFile(of image: ELFFile, roots: [String]) -> ELFFile? {
    for root in roots {
      if let file = debugFile(buildID: image.buildID, root: root) { return file }
    }
    guard let link = image.debugLink else { return nil }
    let directory = String(image.path[..<(image.path.lastIndex(of: "/") ?? image.path.startIndex)])
    let candidates = [directory, "\(directory)/.debug"] + roots.map { $0 + directory }
    for candidate in candidates {
      guard let file = try? ELFFile(path: "\(candidate)/\(link.name)"), file.path != image.path else { continue }
      // Two files of one build have the same id. Without ids, the link's checksum decides, which needs the whole file.
      let isSame =
        image.buildID.isEmpty || file.buildID.isEmpty
        ? file.checksum == link.checksum : file.buildID == image.buildID
      if isSame { return file }
    }
    return nil
  }

  /// `<root>/.build-id/ab/cdef….debug`
  static func debugFile(buildID: String, root: String) -> ELFFile? {
    guard buildID.utf8.count > 2, buildID.allSatisfy(\.isHexDigit),
      let file = try? ELFFile(path: "\(root)/.build-id/\(buildID.prefix(2))/\(buildID.dropFirst(2)).debug"),
      file.buildID == buildID
    else { return nil }
    return file
  }
}
