// SPDX-License-Identifier: Apache-2.0

/// Finds the functions at addresses of images, in symbol tables, in unwind tables, and in DWARF if `llvm-symbolizer` is
/// installed.
///
/// It keeps the results, so that the launches of a series share them.
package struct Symbolizer: Sendable {
  private let directory: SymbolDirectory?
  private let debugRoots: [String]
  private let tool: LLVMSymbolizer?
  private var files: [Image: Result<ImageFiles, SymbolError>] = [:]
  /// Where files of images are now that are not at their paths. Later, other files may be there.
  package var places: [String: String] = [:] {
    didSet { files = files.filter { oldValue[$0.key.path] == nil } }
  }
  private var known: [Image: [UInt64: [SourceFrame]]] = [:]
  /// Files whose lines could not be read because `llvm-symbolizer` is not installed.
  package private(set) var filesWithoutTool: Set<String> = []
  /// Files whose lines could not be read because it failed, or took too long.
  package private(set) var filesWithoutAnswer: Set<String> = []
  /// Why the directory's file of an image's name was not used, of images that have only a file without such names.
  package private(set) var otherBuilds: [SymbolError] = []

  /// - Parameters:
  ///   - directory: a directory that is searched before the paths of the images.
  ///   - debugRoots: directories with a `.build-id` directory, searched for debug files.
  ///   - tool: nil for no tool, and so no lines and no inlined functions.
  package init(
    directory: SymbolDirectory? = nil, debugRoots: [String]? = nil, tool: LLVMSymbolizer? = LLVMSymbolizer.find()
  ) {
    self.directory = directory
    self.debugRoots = debugRoots ?? [ImageFiles.systemDebugRoot]
    self.tool = tool
  }

  /// Virtual addresses in the image's file, for `frames`. Those that the file does not have stay as they are.
  package mutating func virtual(_ addresses: [UInt64], of image: Image, from origin: AddressOrigin) -> [UInt64] {
    if case .virtual = origin { return addresses }
    guard let tables = try? files(of: image).tables else { return addresses }
    return addresses.map { address in tables.lazy.compactMap { origin.virtual(address, in: $0) }.first ?? address }
  }

  /// The functions at each address of some images, which the tool reads at once: the innermost inlined function first;
  /// empty if they are not known. It fails if there is no file of the image, or with `buildIDMismatch` if the file of this
  /// name is from another build.
  ///
  /// - Parameter requests: addresses in each image's file (address at run time − load bias).
  package mutating func frames(
    of requests: [(image: Image, addresses: [UInt64])]
  ) -> [Result<[[SourceFrame]], SymbolError>] {
    var new: [(image: Image, files: ImageFiles, addresses: [UInt64])] = []
    for (image, addresses) in requests {
      guard let files = try? files(of: image) else { continue }
      let unknown = Set(addresses).subtracting((known[image] ?? [:]).keys).sorted()
      if !unknown.isEmpty { new.append((image, files, unknown)) }
    }
    for (request, lines) in zip(new, lines(of: new.map { ($0.files, $0.addresses) })) {
      var found = Self.complete(lines, request.addresses, request.files.tables)
      Self.nameByStart(&found, request.addresses, request.image, request.files.tables)
      known[request.image, default: [:]].merge(zip(request.addresses, found)) { $1 }
    }
    return requests.map { [known] image, addresses in
      (files[image] ?? .failure(SymbolError(.cannotOpen, path: image.path, message: "was not read"))).map { _ in
        addresses.map { known[image]?[$0] ?? [] }
      }
    }
  }

  /// What DWARF says; an empty list for each address that it does not know.
  private mutating func lines(of requests: [(files: ImageFiles, addresses: [UInt64])]) -> [[[SourceFrame]]] {
    var frames = requests.map { [[SourceFrame]](repeating: [], count: $0.addresses.count) }
    let readable = requests.indices.filter { requests[$0].files.debugInformation != nil }
    let paths = readable.map { requests[$0].files.debugInformation?.path ?? "" }
    guard let tool else {
      filesWithoutTool.formUnion(paths)
      return frames
    }
    let found = tool.frames(in: zip(paths, readable).map { ($0, requests[$1].addresses) })
    for ((path, index), answer) in zip(zip(paths, readable), found) {
      if let answer { frames[index] = answer } else { filesWithoutAnswer.insert(path) }
    }
    return frames
  }

  /// Fills in what the symbol tables know.
  private static func complete(
    _ lines: [[SourceFrame]], _ addresses: [UInt64], _ tables: [ELFFile]
  ) -> [[SourceFrame]] {
    var frames = lines
    for table in tables {
      let missing = addresses.indices.filter { frames[$0].isEmpty }
      if missing.isEmpty { break }
      for (index, symbol) in zip(missing, table.symbols(at: missing.map { addresses[$0] })) {
        if let symbol { frames[index] = [SourceFrame(mangledName: symbol.mangledName)] }
      }
    }
    return frames
  }

  /// Names each function that no symbol names by the address at which it begins: `libapp.so+0x12a0`. The unwind tables,
  /// which a stripped file keeps, know that address. Otherwise each instruction would look like a function of its own.
  private static func nameByStart(
    _ frames: inout [[SourceFrame]], _ addresses: [UInt64], _ image: Image, _ files: [ELFFile]
  ) {
    for file in files where frames.contains(where: \.isEmpty) {
      guard let table = UnwindTable(file) else { continue }
      for index in frames.indices where frames[index].isEmpty {
        guard let start = table.functionStart(at: addresses[index]) else { continue }
        frames[index] = [SourceFrame(mangledName: image.fileName + "+0x" + String(start, radix: 16))]
      }
    }
  }

  // MARK: Files

  private mutating func files(of image: Image) throws(SymbolError) -> ImageFiles {
    if let known = files[image] { return try known.get() }
    let found = Result { () throws(SymbolError) in try search(image) }
    files[image] = found
    return try found.get()
  }

  private mutating func search(_ image: Image) throws(SymbolError) -> ImageFiles {
    if image.buildID.isEmpty { return try searchByName(image) }
    var found = (directory?.files(buildID: image.buildID) ?? []).compactMap { try? ELFFile(path: $0) }
    // The file in the directory that the user named has precedence over the one of this machine.
    let namesake = found.isEmpty ? directory?.files(named: image.fileName).first : nil
    let other = namesake.flatMap { try? ELFFile(path: $0) }.map { Self.mismatch($0, image) }
    var reason: SymbolError?
    do throws(SymbolError) {
      let file = try ELFFile(path: places[image.path] ?? image.path)
      if file.buildID == image.buildID { found.append(file) } else { reason = Self.mismatch(file, image) }
    } catch { reason = error }
    for root in debugRoots {
      if let debug = ImageFiles.debugFile(buildID: image.buildID, root: root) { found.append(debug) }
    }
    if !found.isEmpty {
      let files = ImageFiles(found, debugRoots: debugRoots)
      if let other, !files.hasNames { otherBuilds.append(other) }
      return files
    }
    throw other ?? reason ?? SymbolError(.cannotOpen, path: image.path, message: "has no file on this machine")
  }

  /// Without a build id, the name must match. A file with an id is then a different one.
  private func searchByName(_ image: Image) throws(SymbolError) -> ImageFiles {
    let namesakes = directory?.files(named: image.fileName).compactMap { try? ELFFile(path: $0) } ?? []
    if let other = namesakes.first(where: { !$0.buildID.isEmpty }), namesakes.allSatisfy({ !$0.buildID.isEmpty }) {
      throw Self.mismatch(other, image)
    }
    if !namesakes.isEmpty { return ImageFiles(namesakes.filter(\.buildID.isEmpty), debugRoots: debugRoots) }
    let file = try ELFFile(path: places[image.path] ?? image.path)
    guard file.buildID.isEmpty else { throw Self.mismatch(file, image) }
    return ImageFiles([file], debugRoots: debugRoots)
  }

  private static func mismatch(_ file: ELFFile, _ image: Image) -> SymbolError {
    let own = file.buildID.isEmpty ? "no build id" : "build id \(file.buildID)"
    let recorded =
      image.buildID.isEmpty
      ? "the trace has none for \(image.path): it had none, or was not readable when it was recorded, for example with "
        + "too few open files (ulimit -n)"
      : "the trace is of \(image.path) with build id \(image.buildID)"
    return SymbolError(
      .buildIDMismatch, path: file.path,
      message: "has \(own), but \(recorded); name the files of the build that was recorded")
  }
}
