// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// The points of the start, and how libraries were loaded.
extension ObservedTrace {
  mutating func writePoints() {
    let track = tracks.thread(launch.processID, of: launch.processID)
    for point in points.points {
      var annotations: [(key: String, value: AnnotationValue)] = [(LS_KEY_SOURCE, .string(point.source))]
      if !point.path.isEmpty { annotations.append((LS_KEY_PATH, .string(point.path))) }
      if let name = point.executedName { annotations.append((LS_KEY_NAME, .string(name))) }
      if let read = point.readBytes { annotations.append((LS_KEY_READ_BYTES, .uint(read))) }
      instant(point.name, LS_CATEGORY_POINT, point.time, track, annotations)
    }
  }

  mutating func writeLibraries() {
    let mappings = events.mappings.filter { kept.contains($0.place.processID) && $0.isLoad }
    write(mappings)
    if omitsLoadings { return }
    writeRelocations()
    writeLoadings(of: mappings)
  }

  private mutating func write(_ mappings: [PerfEvents.Mapping]) {
    for mapping in mappings {
      let image = images.image(mapping.path)
      var annotations: [(key: String, value: AnnotationValue)] = [
        (LS_KEY_PATH, .string(mapping.path)), (LS_KEY_SIZE, .uint(image?.memorySpan ?? mapping.length)),
        (LS_KEY_ADDRESS, .pointer(mapping.address)),
      ]
      if mapping.path == agent { annotations.append((LS_KEY_AGENT, .bool(true))) }
      if let image, !image.buildID.isEmpty { annotations.append((LS_KEY_BUILD_ID, .string(image.buildID))) }
      if let image { annotations.append((LS_KEY_NEEDED, .array(image.needed.map(AnnotationValue.string)))) }
      if let opening = points.firstOpenings.first(where: { $0.mapped == mapping.place.time && $0.path == mapping.path })
      {
        annotations.append((LS_KEY_DURATION_NS, .int(opening.mapped - opening.start)))
      }
      instant(
        LS_EVENT_MAP, LS_CATEGORY_LIBRARY, mapping.place.time,
        tracks.thread(mapping.place.threadID, of: mapping.place.processID), annotations)
    }
  }

  private mutating func writeRelocations() {
    let main = tracks.thread(launch.processID, of: launch.processID)
    for relocation in points.relocations {
      writer.begin(
        sequence: Self.sequence, time: relocation.start, track: main, name: LS_EVENT_RELOCATE,
        category: LS_CATEGORY_LIBRARY,
        annotations: [(LS_KEY_PATH, .string(relocation.path)), (LS_KEY_SOURCE, .string(LS_SOURCE_KERNEL))])
      writer.end(sequence: Self.sequence, time: relocation.end, track: main)
    }
  }

  /// Each dlopen, with the libraries that it mapped.
  private mutating func writeLoadings(of mappings: [PerfEvents.Mapping]) {
    for loading in points.loadings {
      let span = loading.span
      let paths = mappings.filter {
        $0.place.threadID == loading.threadID && span.start <= $0.place.time && $0.place.time <= span.end
      }.map(\.path)
      // If there are no paths, the library was loaded already.
      guard !paths.isEmpty else { continue }
      let track = tracks.thread(loading.threadID, of: launch.processID)
      var annotations: [(key: String, value: AnnotationValue)] = [
        (LS_KEY_PATH, .array(paths.map(AnnotationValue.string))),
        (LS_KEY_SOURCE, .string(span.lacksInitializers ? LS_SOURCE_KERNEL : LS_SOURCE_BREAKPOINT)),
      ]
      if span.lacksInitializers { annotations.append((LS_KEY_LACKS_INITIALIZERS, .bool(true))) }
      writer.begin(
        sequence: Self.sequence, time: span.start, track: track, name: LS_EVENT_DLOPEN, category: LS_CATEGORY_LIBRARY,
        annotations: annotations)
      writer.end(sequence: Self.sequence, time: span.end, track: track)
    }
  }
}
