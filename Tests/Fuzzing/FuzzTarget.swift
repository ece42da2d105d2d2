// Compiled together with the sources of LaunchTrace by scripts/fuzz, not by the package.

/// What libFuzzer calls with every input it makes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTraceReader(_ data: UnsafePointer<UInt8>, _ size: Int) -> Int32 {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  guard let trace = try? TraceReader().read(bytes: bytes) else { return 0 }
  for slice in 0..<trace.slices.count {
    precondition(Int(trace.slices.parent[slice]) < slice)
    precondition(trace.slices.duration[slice] >= SliceTable.unfinished)
    precondition(Int(trace.slices.track[slice]) < trace.tracks.count)
    precondition(slice == 0 || trace.slices.start[slice - 1] <= trace.slices.start[slice])
  }
  // swift-format-ignore: NeverUseForceTry
  try! ChromeTraceExporter().write(trace) { _ in }
  return 0
}
