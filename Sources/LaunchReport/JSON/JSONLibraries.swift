// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// The members `libraries` and `openings` of a launch, with times relative to its start.
  mutating func write(_ table: LibraryTable, start: Int64) {
    objects("libraries", table.libraries) { json, library in
      json.value("path", library.path)
      json.value("loads", library.loads)
      json.optional("size", library.size)
      json.optional("map", library.map)
      json.optional("relocation", library.relocation)
      json.optional("initialization", library.initialization)
      json.value("initializers", library.initializers)
      json.value("total", library.total)
      if library.isOpened { json.value("opened", true) }
    }
    objects("openings", table.openings) { json, opening in
      json.texts("paths", opening.paths)
      json.value("start", opening.start - start)
      json.value("duration", opening.duration)
      json.value("thread", opening.thread)
      json.value("threadID", Int64(opening.threadID))
      json.value("mainThread", opening.isOnMainThread)
      json.value("source", opening.source.rawValue)
      if opening.lacksInitializers { json.value("lacksInitializers", true) }
    }
  }
}
