// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// The members `libraries` and `openings` of a launch, with times relative to its start.
  mutating func write(_ table: LibraryTable, start: Int64) {
    array("libraries") { json in
      for library in table.libraries {
        json.object { json in
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
      }
    }
    array("openings") { json in
      for opening in table.openings {
        json.object { json in
          json.array("paths") { json in
            for path in opening.paths { json.value(nil, path) }
          }
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
  }
}
