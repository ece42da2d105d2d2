/// Finds the functions at addresses of images, in symbol tables, and in DWARF if `llvm-symbolizer` is installed.
///
/// It keeps the results, so that the launches of a series share them.
package struct Symbolizer: Sendable {
  private let directory: SymbolDirectory?
  private let debugRoots: [String]
  private let tool: LLVMSymbolizer?
  private var files: [Image: Result<ImageFiles, SymbolError>] = [:]
  private var known: [Image: [UInt64: [SourceFrame]]] = [:]
  /// Files whose lines could not be read because `llvm-symbolizer` is not installed.
  package private(set) var filesWithoutTool: Set<String> = []

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

  /// The functions at each address of an image, the innermost inlined function first; empty if they are not known.
  ///
  /// - Parameter addresses: addresses in the image's file (address at run time − load bias).
  /// - Throws: `SymbolError` if there is no file of the image; `buildIDMismatch` if the file of this name is from
  ///   another build.
  package mutating func frames(of image: Image, at addresses: [UInt64]) throws(SymbolError) -> [[SourceFrame]] {
    let files = try self.files(of: image)
    let new = Set(addresses).subtracting((known[image] ?? [:]).keys).sorted()
    if !new.isEmpty {
      let found = look(up: new, in: files)
      known[image, default: [:]].merge(zip(new, found)) { $1 }
    }
    return addresses.map { known[image]?[$0] ?? [] }
  }

  private mutating func look(up addresses: [UInt64], in files: ImageFiles) -> [[SourceFrame]] {
    var frames = [[SourceFrame]](repeating: [], count: addresses.count)
    if let debug = files.debugInformation {
      if let tool { frames = tool.frames(in: debug.path, at: addresses) } else { filesWithoutTool.insert(debug.path) }
    }
    for table in files.tables {
      let missing = addresses.indices.filter { frames[$0].isEmpty }
      if missing.isEmpty { break }
      for (index, symbol) in zip(missing, table.symbols(at: missing.map { addresses[$0] })) {
        if let symbol { frames[index] = [SourceFrame(mangledName: symbol.mangledName)] }
      }
    }
    return frames
  }

  // MARK: Files

  private mutating func files(of image: Image) throws(SymbolError) -> ImageFiles {
    if let known = files[image] { return try known.get() }
    let found: Result<ImageFiles, SymbolError>
    do throws(SymbolError) { found = .success(try search(image)) } catch { found = .failure(error) }
    files[image] = found
    return try found.get()
  }

  private func search(_ image: Image) throws(SymbolError) -> ImageFiles {
    if image.buildID.isEmpty { return try searchByName(image) }
    var found = (directory?.files(buildID: image.buildID) ?? []).compactMap { try? ELFFile(path: $0) }
    var reason: SymbolError?
    do throws(SymbolError) {
      let file = try ELFFile(path: image.path)
      if file.buildID == image.buildID { found.append(file) } else { reason = Self.mismatch(file, image) }
    } catch { reason = error }
    for root in debugRoots {
      if let debug = ImageFiles.debugFile(buildID: image.buildID, root: root) { found.append(debug) }
    }
    if !found.isEmpty { return ImageFiles(found, debugRoots: debugRoots) }
    // The file in the directory that the user named has precedence over the one of this machine.
    if let other = directory?.files(named: image.fileName).first, let file = try? ELFFile(path: other) {
      throw Self.mismatch(file, image)
    }
    throw reason ?? SymbolError(.cannotOpen, path: image.path, message: "has no file on this machine")
  }

  /// Without a build id, the name must match. A file with an id is then a different one.
  private func searchByName(_ image: Image) throws(SymbolError) -> ImageFiles {
    let namesakes = directory?.files(named: image.fileName).compactMap { try? ELFFile(path: $0) } ?? []
    if let other = namesakes.first(where: { !$0.buildID.isEmpty }), namesakes.allSatisfy({ !$0.buildID.isEmpty }) {
      throw Self.mismatch(other, image)
    }
    if !namesakes.isEmpty { return ImageFiles(namesakes.filter(\.buildID.isEmpty), debugRoots: debugRoots) }
    let file = try ELFFile(path: image.path)
    guard file.buildID.isEmpty else { throw Self.mismatch(file, image) }
    return ImageFiles([file], debugRoots: debugRoots)
  }

  private static func mismatch(_ file: ELFFile, _ image: Image) -> SymbolError {
    func text(_ buildID: String) -> String { buildID.isEmpty ? "no build id" : "build id \(buildID)" }
    return SymbolError(
      .buildIDMismatch, path: file.path,
      message: "has \(text(file.buildID)), but the trace is of \(image.path) with \(text(image.buildID)); "
        + "name the files of the build that was recorded")
  }
}
