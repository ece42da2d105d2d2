// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

extension StoredMeasurement {
  /// The text of a stored measurement that lacks a member.
  struct Damage: Error, CustomStringConvertible {
    var description: String { "a launch in it lacks a member, or is not JSON" }
  }

  // MARK: Writing

  var json: String {
    var members: [String: AnnotationValue] = [
      "name": .string(name), "end": .string(end), "isCPUOfLaunch": .bool(isCPUOfLaunch), "session": .string(session),
      "round": .int(Int64(round)), "fields": .dictionary(fields.mapValues(AnnotationValue.string)),
      "values": .array(
        values.map {
          .dictionary(["group": .string($0.group), "path": Self.list($0.path), "value": .double($0.value)])
        }),
      "flame": .array(flame.map { .dictionary(["path": Self.list($0.path), "time": .int($0.time)]) }),
    ]
    members["leftOut"] = leftOut.map(AnnotationValue.string)
    members["side"] = side.map(AnnotationValue.string)
    members["program"] = program.map(AnnotationValue.string)
    members["arguments"] = arguments.map(Self.list)
    members["image"] = image.map(Self.members)
    members["loaded"] = loaded.map {
      .dictionary(["mapped": Self.list($0.mapped), "bytes": .int($0.bytes), "opened": Self.list($0.opened)])
    }
    return AnnotationValue.dictionary(members).json
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
  init(json: String) throws {
    var json = json
    let stored = json.withUTF8 { JSONView(UnsafeRawBufferPointer($0)).flatMap(Self.init) }
    guard let stored else { throw Damage() }
    self = stored
  }

  private init?(_ view: JSONView) {
    // Asked for once each: the object is long.
    var members: [String: JSONView] = [:]
    view.forEachMember { members[String(decoding: $0, as: UTF8.self)] = $1 }
    guard let name = members["name"]?.string, let end = members["end"]?.string,
      let session = members["session"]?.string, let round = members["round"]?.integer,
      let values = members["values"], let flame = members["flame"]
    else { return nil }
    (self.name, self.end, self.session, self.round) = (name, end, session, Int(round))
    isCPUOfLaunch = members["isCPUOfLaunch"]?.isTrue == true
    (leftOut, side, program) = (members["leftOut"]?.string, members["side"]?.string, members["program"]?.string)
    arguments = members["arguments"].map(Self.texts)
    var fields: [String: String] = [:]
    members["fields"]?.forEachMember { key, value in fields[String(decoding: key, as: UTF8.self)] = value.string }
    self.fields = fields
    image = members["image"].flatMap(Self.image)
    loaded = members["loaded"].flatMap { loaded in
      guard let mapped = loaded["mapped"], let bytes = loaded["bytes"]?.integer, let opened = loaded["opened"] else {
        return nil
      }
      return LoadedLibraries(mapped: Self.texts(mapped), bytes: bytes, opened: Self.texts(opened))
    }
    self.values = values.elements { value in
      guard let group = value["group"]?.string, let path = value["path"], let number = value["value"]?.number else {
        return nil
      }
      return Value(group: group, path: Self.texts(path), value: number)
    }
    self.flame = flame.elements { frame in
      guard let path = frame["path"], let time = frame["time"]?.integer else { return nil }
      return Frame(path: Self.texts(path), time: time)
    }
  }

  private static func texts(_ view: JSONView) -> [String] { view.elements(\.string) }

  private static func image(_ view: JSONView) -> ImageDescription? {
    guard let libraries = view["libraries"], let libraryBytes = view["libraryBytes"]?.integer,
      let relocations = view["relocations"]?.integer, let initializers = view["initializers"]?.integer,
      let bytes = view["bytes"]?.integer, let buildID = view["buildID"]?.string
    else { return nil }
    return ImageDescription(
      libraries: texts(libraries), libraryBytes: libraryBytes, relocations: relocations, initializers: initializers,
      bytes: bytes, toolchain: view["toolchain"]?.string, buildID: buildID)
  }
}
