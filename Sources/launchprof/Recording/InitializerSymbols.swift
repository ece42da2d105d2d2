import LaunchAnalysis
import LaunchSymbols
import LaunchTrace

/// Names for the static initialisers of a trace, which the recorder knows by image and offset only.
enum InitializerSymbols {
  /// `ModuleSymbols` packets for the program's trace at `path`; none for a trace or images that cannot be read.
  static func packets(path: String) -> [UInt8] {
    guard let trace = try? TraceReader().read(path: path) else { return [] }
    var writer = PerfettoTraceWriter()
    for (image, offsets) in initializers(of: trace).sorted(by: { $0.key < $1.key }) {
      guard let file = try? ELFFile(path: image) else { continue }
      let symbols = zip(offsets, file.symbols(at: offsets)).compactMap { offset, symbol in
        symbol.map {
          ModuleSymbol(path: image, buildID: file.buildID, address: offset, function: $0.name)
        }
      }
      if !symbols.isEmpty { writer.moduleSymbols(path: image, buildID: file.buildID, symbols: symbols) }
    }
    return writer.bytes
  }

  /// Offsets by path of the image, in order.
  private static func initializers(of trace: Trace) -> [String: [UInt64]] {
    guard let category = trace.strings.id(of: "launchprof.initializer"),
      let imageKey = trace.strings.id(of: "image"), let offsetKey = trace.strings.id(of: "offset")
    else { return [:] }
    var offsets: [String: Set<UInt64>] = [:]
    for row in 0..<trace.slices.count where trace.slices.category[row] == category.rawValue {
      let annotation = trace.slices.annotation[row]
      guard case .string(let image) = trace.annotations.value(row: annotation, key: imageKey), image.hasPrefix("/")
      else { continue }
      switch trace.annotations.value(row: annotation, key: offsetKey) {
      case .uint(let offset), .pointer(let offset): offsets[image, default: []].insert(offset)
      case .int(let offset): offsets[image, default: []].insert(UInt64(bitPattern: offset))
      default: break
      }
    }
    return offsets.mapValues { $0.sorted() }
  }
}
