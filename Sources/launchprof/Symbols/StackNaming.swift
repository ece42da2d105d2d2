import Glibc
import LaunchSymbols
import LaunchTrace

/// Names the functions of a trace's stacks by the files of its images; of several traces' images each is looked up once.
struct StackNaming {
  private var symbolizer: Symbolizer
  /// Names that the trace has already are looked up again: the directory may know lines that the recording did not.
  private let isThorough: Bool
  /// Images without a build id are taken for the files at their paths.
  private let trustsPaths: Bool
  private var refusals: [String: SymbolError] = [:]
  /// Of the images of which there is no file: a system has hundreds.
  private static let mostNamed = 5

  /// - Parameters:
  ///   - directory: what the user says the files are in.
  ///   - isFresh: the traces were recorded just now, and here.
  init(directory: SymbolDirectory? = nil, isFresh: Bool = false) {
    symbolizer = Symbolizer(directory: directory)
    isThorough = directory != nil
    trustsPaths = directory != nil || isFresh
  }

  /// The trace with the symbols that were found for its stacks.
  mutating func named(_ trace: Trace) -> Trace {
    var trace = trace
    for image in symbols(of: trace) { trace.moduleSymbols += image.symbols }
    return trace
  }

  /// Appends symbols to the trace at `path`, if it has stacks and is a file.
  ///
  /// - Returns: the errno of what failed, nil if nothing did.
  mutating func write(into path: String) -> Int32? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, let trace = try? TraceReader().read(path: path)
    else { return nil }
    var writer = PerfettoTraceWriter()
    for image in symbols(of: trace) {
      writer.moduleSymbols(path: image.image.path, buildID: image.image.buildID, symbols: image.symbols)
    }
    if writer.bytes.isEmpty { return nil }
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    let error = writer.bytes.withUnsafeBytes { writeAll(file, $0) }
    if error != 0 { ftruncate(file, facts.st_size) }
    return error == 0 ? nil : error
  }

  /// Says for which images no names could be had, and why.
  func tellRefusals() {
    let mismatches = refusals.values.filter { $0.code == .buildIDMismatch }
    for error in mismatches.sorted(by: { $0.path < $1.path }) { tell("symbols: \(error)") }
    if isThorough {
      let missing = refusals.filter { $0.value.code != .buildIDMismatch }.keys.sorted()
      let named = missing.prefix(Self.mostNamed).joined(separator: ", ")
      let more = missing.count > Self.mostNamed ? ", and \(missing.count - Self.mostNamed) more" : ""
      if !missing.isEmpty { tell("symbols: nothing was found for \(named)\(more)") }
    }
    if let file = symbolizer.filesWithoutTool.min() {
      tell("symbols: lines and inlined functions are left out: install llvm-symbolizer to read those of \(file)")
    }
  }

  private mutating func symbols(of trace: Trace) -> [(image: Image, symbols: [ModuleSymbol])] {
    var found: [(image: Image, symbols: [ModuleSymbol])] = []
    for (image, addresses) in addresses(in: trace) {
      do throws(SymbolError) {
        let frames = try symbolizer.frames(of: image, at: addresses)
        let symbols = zip(addresses, frames).flatMap { address, frames in
          frames.map {
            ModuleSymbol(
              path: image.path, buildID: image.buildID, address: address, function: $0.name, file: $0.file,
              line: $0.line)
          }
        }
        if !symbols.isEmpty { found.append((image, symbols)) }
      } catch { refusals[image.path] = error }
    }
    return found
  }

  /// The places without a name, by image; in order, so that equal launches give equal traces.
  private func addresses(in trace: Trace) -> [(image: Image, addresses: [UInt64])] {
    // Other formats have run-time addresses.
    guard trace.format == .perfetto else { return [] }
    var addresses: [Image: Set<UInt64>] = [:]
    let stacks = trace.stacks
    for row in 0..<stacks.count where stacks.function[row] == 0 && stacks.address[row] != 0 {
      let path = trace.strings[StringID(rawValue: stacks.image[row])]
      // Not what has no file: [vdso], memory that code was written into.
      guard path.hasPrefix("/") else { continue }
      let image = Image(path: path, buildID: trace.strings[StringID(rawValue: stacks.buildID[row])])
      if image.buildID.isEmpty, !trustsPaths { continue }
      addresses[image, default: []].insert(stacks.address[row])
    }
    if !isThorough {
      for symbol in trace.moduleSymbols {
        addresses[Image(path: symbol.path, buildID: symbol.buildID)]?.remove(symbol.address)
      }
    }
    return addresses.filter { !$0.value.isEmpty }.sorted {
      ($0.key.path, $0.key.buildID) < ($1.key.path, $1.key.buildID)
    }
    .map { ($0.key, $0.value.sorted()) }
  }
}
