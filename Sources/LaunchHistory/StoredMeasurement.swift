// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// A measurement in the store, as JSON, so that other tools can read it.
enum StoredMeasurement {
  /// The text of a stored measurement that lacks a member.
  struct Damage: Error, CustomStringConvertible {
    var description: String { "a launch in it lacks a member, or is not JSON" }
  }

  /// Parts of at least this share of the launch are kept, however many there are.
  private static let shortShare = 0.005
  /// How many shorter ones, the longest first: a plot reads the whole store.
  private static let mostShortParts = 500

  // MARK: Writing

  static func json(_ measurement: Measurement) -> String {
    let provenance = measurement.provenance
    let fields = provenance.fields.map { ($0.key.rawValue, AnnotationValue.string($0.value)) }
    let short = (measurement.values[.total] ?? 0) * shortShare
    // Short parts, too: a part that is missing would be one that the launch did not have.
    let limit = Self.limit(measurement.values.lazy.filter { $0.key.unit == .nanoseconds }.map(\.value), short: short)
    let flameLimit = Self.limit(measurement.flame.values.lazy.map(Double.init), short: short)
    // A state that is missing would not be known.
    let values = measurement.values
      .filter { $0.key.unit != .nanoseconds || $0.key.group == .state || $0.value > limit }
      .sorted { $0.key.id < $1.key.id }
    func kept(_ paths: [[String]: Int64]) -> AnnotationValue {
      let long = paths.filter { Double($0.value) > flameLimit }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      return .array(long.map { path, time in .dictionary(["path": list(path), "time": .int(time)]) })
    }
    let lacksShortParts = measurement.lacksShortParts || values.count < measurement.values.count
    var members: [String: AnnotationValue] = [
      "name": .string(measurement.name), "end": .string(measurement.endMilestone),
      "isCPUOfLaunch": .bool(measurement.isCPUOfLaunch), "session": .string(provenance.session),
      "round": .int(Int64(provenance.round)), "fields": .dictionary(Dictionary(uniqueKeysWithValues: fields)),
      "values": .array(
        values.map { metric, value in
          .dictionary(["group": .string(metric.group.rawValue), "path": list(metric.path), "value": .double(value)])
        }),
      "flame": kept(measurement.flame),
      "program": .string(provenance.program),
    ]
    if !lacksShortParts { members["hasShortParts"] = .bool(true) }
    if measurement.isDamaged { members["isDamaged"] = .bool(true) }
    members["waits"] = measurement.waits.map(kept)
    members["leftOut"] = measurement.leftOut.map { .string($0.rawValue) }
    members["means"] = measurement.means.map(AnnotationValue.string)
    members["waitStates"] = measurement.waitStates.map(AnnotationValue.string)
    members["side"] = provenance.side.map(AnnotationValue.string)
    members["arguments"] = provenance.arguments.map(list)
    members["image"] = provenance.image.map(Self.members)
    members["loaded"] = measurement.loaded.map {
      .dictionary(["mapped": list($0.mapped), "bytes": .int($0.bytes), "opened": list($0.opened)])
    }
    members["globals"] = measurement.globals.map(firstTimes)
    members["lookups"] = measurement.lookups.map(firstTimes)
    return AnnotationValue.dictionary(members).json
  }

  /// A part is kept if it takes longer than this.
  ///
  /// - Parameter short: parts below this time are short.
  private static func limit(_ times: some Sequence<Double>, short: Double) -> Double {
    let shorter = times.filter { $0 < short }
    return shorter.count <= mostShortParts ? -.infinity : shorter.sorted(by: >)[mostShortParts]
  }

  private static func firstTimes(_ all: FirstTimes) -> AnnotationValue {
    .array(all.names.map { .dictionary(["name": .string($0), "time": .int(all.times[$0] ?? 0)]) })
  }

  private static func list(_ texts: [String]) -> AnnotationValue { .array(texts.map(AnnotationValue.string)) }

  private static func members(of image: ImageDescription) -> AnnotationValue {
    var members: [String: AnnotationValue] = [
      "libraries": list(image.libraries), "libraryBytes": .int(image.libraryBytes),
      "relocations": .int(image.relocations), "initializers": .int(image.initializers), "bytes": .int(image.bytes),
      "buildID": .string(image.buildID),
    ]
    members["toolchain"] = image.toolchain.map(AnnotationValue.string)
    return .dictionary(members)
  }

  // MARK: Reading

  /// - Throws: `Damage`.
  static func measurement(_ json: String) throws -> Measurement {
    var json = json
    let measurement = json.withUTF8 { JSONView(UnsafeRawBufferPointer($0)).flatMap(read) }
    guard let measurement else { throw Damage() }
    return measurement
  }

  private static func read(_ view: JSONView) -> Measurement? {
    // Asked for once each: the object is long.
    var members: [String: JSONView] = [:]
    view.forEachMember { members[String(decoding: $0, as: UTF8.self)] = $1 }
    guard let name = members["name"]?.string, let end = members["end"]?.string,
      let session = members["session"]?.string, let round = members["round"]?.integer,
      let values = members["values"], let flame = members["flame"]
    else { return nil }
    var provenance = Provenance(round: Int(round))
    (provenance.session, provenance.side) = (session, members["side"]?.string)
    members["fields"]?.forEachMember { key, value in
      // Fields and metrics of a newer version are ignored.
      if let field = Provenance.Field(rawValue: String(decoding: key, as: UTF8.self)) {
        provenance.fields[field] = value.string
      }
    }
    // Earlier versions did not write the program and the libraries.
    provenance.program = members["program"]?.string ?? ""
    provenance.arguments = members["arguments"].map(texts)
    provenance.image = members["image"].flatMap(image)
    var result = Measurement(
      name: name, leftOut: members["leftOut"]?.string.flatMap(LaunchSet.LeftOut.init), provenance: provenance,
      endMilestone: end, values: Dictionary(values.elements(value)) { $1 },
      flame: times(flame), isCPUOfLaunch: members["isCPUOfLaunch"]?.isTrue == true)
    // Earlier versions did not write it.
    result.waits = members["waits"].map(times)
    result.means = members["means"]?.string
    result.waitStates = members["waitStates"]?.string
    result.isDamaged = members["isDamaged"]?.isTrue == true
    result.lacksShortParts = members["hasShortParts"]?.isTrue != true
    result.loaded = members["loaded"].flatMap { loaded in
      guard let mapped = loaded["mapped"], let bytes = count(loaded["bytes"]), let opened = loaded["opened"] else {
        return nil
      }
      return LoadedLibraries(mapped: texts(mapped), bytes: bytes, opened: texts(opened))
    }
    result.globals = members["globals"].map(firstTimes)
    result.lookups = members["lookups"].map(firstTimes)
    result.joinLibraries()
    return result
  }

  private static func firstTimes(_ view: JSONView) -> FirstTimes {
    var left = TraceLimits.work
    return FirstTimes(
      view.elements { element in
        guard let name = element["name"]?.string, let time = limited(element["time"], to: &left) else { return nil }
        return (name: name, time: time)
      })
  }

  /// By path.
  private static func times(_ view: JSONView) -> [[String]: Int64] {
    var left = TraceLimits.work
    let times = view.elements { element -> ([String], Int64)? in
      guard let path = element["path"], let time = limited(element["time"], to: &left) else { return nil }
      return (texts(path), time)
    }
    return Dictionary(times) { $0 + $1 }
  }

  /// nil for what no launch can have. The times of one are no more than a trace may have, so that no sum overflows.
  ///
  /// - Parameter left: how much time the others leave.
  private static func limited(_ view: JSONView?, to left: inout Int64) -> Int64? {
    guard let time = count(view), time <= left else { return nil }
    left -= time
    return time
  }

  /// nil for what no launch can have.
  private static func count(_ view: JSONView?) -> Int64? {
    view?.integer.flatMap { (0...TraceLimits.number).contains($0) ? $0 : nil }
  }

  private static func texts(_ view: JSONView) -> [String] { view.elements(\.string) }

  /// nil for what no launch can have.
  private static func value(_ view: JSONView) -> (Metric, Double)? {
    guard let group = view["group"]?.string.flatMap(Metric.Group.init), let path = view["path"],
      let value = view["value"]?.number, abs(value) <= Double(TraceLimits.time)
    else { return nil }
    return (Metric(group, texts(path)), value)
  }

  private static func image(_ view: JSONView) -> ImageDescription? {
    guard let libraries = view["libraries"], let libraryBytes = count(view["libraryBytes"]),
      let relocations = count(view["relocations"]), let initializers = count(view["initializers"]),
      let bytes = count(view["bytes"]), let buildID = view["buildID"]?.string
    else { return nil }
    return ImageDescription(
      libraries: texts(libraries), libraryBytes: libraryBytes, relocations: relocations, initializers: initializers,
      bytes: bytes, toolchain: view["toolchain"]?.string, buildID: buildID)
  }
}
