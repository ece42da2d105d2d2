// SPDX-License-Identifier: Apache-2.0

package import LaunchSymbols
internal import LaunchSystem
package import LaunchTrace

/// Names the functions in a trace's stacks, and its static initialisers, from the files of its images. Each image is
/// looked up once for all traces.
package struct StackNaming {
  private var symbolizer: Symbolizer
  /// Looks up again the names that the trace has already: the directory may know lines that the recording did not.
  private let isThorough: Bool
  /// Takes the file at an image's path for the image, if the image has no build ID.
  private let trustsPaths: Bool
  /// `record` has named the initialisers in another way, and the symbols of a trace without stacks would be errors for
  /// Perfetto.
  private let namesInitializers: Bool
  private var refused: [String: SymbolError] = [:]
  /// The most images without a file that a message names: a system has hundreds.
  private static let mostNamed = 5

  /// - Parameters:
  ///   - directory: where the user says that the files are.
  ///   - isFresh: the traces were recorded just now, on this machine.
  package init(directory: SymbolDirectory? = nil, isFresh: Bool = false) {
    symbolizer = Symbolizer(directory: directory)
    isThorough = directory != nil
    trustsPaths = directory != nil || isFresh
    namesInitializers = !isFresh
  }

  /// Adds to the trace the symbols that are found for its stacks.
  ///
  /// - Parameter files: where files of images are now that are not at their paths.
  /// - Returns: packets that add them to the trace's file.
  package mutating func name(_ trace: inout Trace, files: [String: String] = [:]) -> [UInt8] {
    symbolizer.places = files
    var writer = PerfettoTraceWriter()
    for image in symbols(of: trace) {
      trace.moduleSymbols += image.symbols
      writer.moduleSymbols(path: image.image.path, buildID: image.image.buildID, symbols: image.symbols)
    }
    return writer.bytes
  }

  /// A line for each image whose functions could not be named, with the reason.
  package var refusals: [String] {
    let mismatches = refused.values.filter { $0.code == .buildIDMismatch } + symbolizer.otherBuilds
    var lines = mismatches.sorted { $0.path < $1.path }.map { "symbols: \($0)" }
    if isThorough {
      let missing = refused.filter { $0.value.code != .buildIDMismatch }.keys.sorted()
      if !missing.isEmpty { lines.append("symbols: found no names for \(missing.listed(Self.mostNamed))") }
    }
    if let file = symbolizer.filesWithoutTool.min() {
      lines.append(
        "symbols: source lines and inlined functions are missing; to read those of \(file), install llvm-symbolizer")
    }
    if let file = symbolizer.filesWithoutAnswer.min() {
      lines.append("symbols: source lines and inlined functions of \(file) are missing, because llvm-symbolizer failed")
    }
    return lines
  }

  private mutating func symbols(of trace: Trace) -> [(image: Image, symbols: [ModuleSymbol])] {
    var found: [(image: Image, symbols: [ModuleSymbol])] = []
    var addresses = addresses(in: trace)
    let ofStacks = Set(addresses.keys)
    // The command has looked up those of a trace that it recorded. Only other files can tell more.
    let isOwn = trace.instants(of: CategoryName.launcher).isEmpty
    if namesInitializers, isOwn || isThorough { addInitializers(of: trace, to: &addresses) }
    let wanted = addresses.filter { !$0.value.isEmpty }.sorted {
      ($0.key.path, $0.key.buildID) < ($1.key.path, $1.key.buildID)
    }
    .map { (image: $0.key, addresses: $0.value.sorted()) }
    let origin = trace.format.addressOrigin ?? .virtual
    let places = wanted.map { image, addresses in
      (image: image, addresses: symbolizer.virtual(addresses, of: image, from: origin))
    }
    for ((image, addresses), answer) in zip(wanted, symbolizer.frames(of: places)) {
      do throws(SymbolError) {
        let frames = try answer.get()
        let symbols = zip(addresses, frames).flatMap { address, frames in
          frames.map {
            ModuleSymbol(
              path: image.path, buildID: image.buildID, address: address, function: $0.name, file: $0.file,
              line: $0.line)
          }
        }
        if !symbols.isEmpty { found.append((image, symbols)) }
      } catch {
        // Initialisers have names without symbols, too. On another machine each system library would get a message.
        if isThorough || ofStacks.contains(image) { refused[image.path] = error }
      }
    }
    return found
  }

  /// The initialisers that the trace does not name, of images whose build is known.
  private func addInitializers(of trace: Trace, to addresses: inout [Image: Set<UInt64>]) {
    let unnamed = trace.unnamedInitializers()
    let buildIDs = unnamed.isEmpty ? [:] : trace.buildIDs()
    for (path, offset) in unnamed {
      guard path.hasPrefix("/"), let buildID = buildIDs[path], !buildID.isEmpty else { continue }
      addresses[Image(path: path, buildID: buildID), default: []].insert(offset)
    }
  }

  /// The places of stacks without a name, by image.
  private func addresses(in trace: Trace) -> [Image: Set<UInt64>] {
    if trace.format.addressOrigin == nil { return [:] }
    var addresses: [Image: Set<UInt64>] = [:]
    for frame in trace.stacks.frames where frame.function == 0 && frame.address != 0 {
      let path = trace.strings[StringID(rawValue: frame.image)]
      // Skips images without a file: `[vdso]`, and `[compiled]`, memory into which code was written. Traces have paths in parts, so
      // these begin with a slash, too.
      guard path.hasPrefix("/"), !path.hasPrefix("/[") else { continue }
      let image = Image(path: path, buildID: trace.strings[StringID(rawValue: frame.buildID)])
      if image.buildID.isEmpty, !trustsPaths { continue }
      addresses[image, default: []].insert(frame.address)
    }
    if !isThorough {
      // A place that stands for a name, `libapp.so+0x12a0`, may have a name now.
      for symbol in trace.moduleSymbols where !symbol.function.contains("+0x") {
        addresses[Image(path: symbol.path, buildID: symbol.buildID)]?.remove(symbol.address)
      }
    }
    return addresses
  }
}

extension TraceFormat {
  /// nil for addresses at run time, and for none.
  fileprivate var addressOrigin: AddressOrigin? {
    switch self {
    case .perfetto: .virtual
    case .firefox: .imageStart
    case .pprof: .fileStart
    default: nil
    }
  }
}
