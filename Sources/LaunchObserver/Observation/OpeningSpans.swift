/// The libraries that a running program loads: from the call of `dlopen` to its return, of one thread.
///
/// Where those breakpoints were not set in time, what was mapped and the loader's word that all is mapped stand for them.
struct OpeningSpans {
  private(set) var spans: [(start: Int64, end: Int64)] = []

  private struct Open {
    var start: Int64
    /// When the loader said that all is mapped.
    var mapped: Int64?
  }

  /// - Parameters:
  ///   - hits: of breakpoints, in order.
  ///   - relocated: when the program itself was loaded; what the loader said until then was about that.
  ///   - mappings: when the thread mapped something: the loader speaks also when a library goes.
  init(
    _ hits: [(time: Int64, address: UInt64)], after relocated: Int64, addresses: LoadAddresses,
    opening: OpeningAddresses?, mappings: [Int64]
  ) {
    var open: [Open] = []
    var hasSpoken = false
    // Of the first thread, since the last thing that was told.
    var earlier = relocated
    for hit in hits where hit.time > relocated {
      if hit.address == opening?.function {
        open.append(Open(start: hit.time))
      } else if opening?.returns.contains(hit.address) == true {
        // Of a library that was there already, too: then nothing was mapped, and it is no load.
        if let done = open.popLast() { spans.append((done.start, hit.time)) }
      } else if hit.address == addresses.notification {
        // It speaks twice, before and behind its lists: what is to be loaded is mapped by then.
        hasSpoken.toggle()
        if hasSpoken { continue }
        guard let began = mappings.first(where: { earlier < $0 && $0 <= hit.time }) else { continue }
        if let last = open.indices.last, open[last].mapped == nil {
          open[last].mapped = hit.time
        } else {
          open.append(Open(start: began, mapped: hit.time))
        }
      }
      earlier = hit.time
    }
    for rest in open { if let mapped = rest.mapped { spans.append((rest.start, mapped)) } }
    spans.sort { ($0.start, $1.end) < ($1.start, $0.end) }
  }
}
