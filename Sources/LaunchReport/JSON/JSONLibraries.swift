// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// The member `libraries` of a launch.
  mutating func write(_ table: LibraryTable) {
    objects("libraries", table.libraries) { json, library in
      json.values([
        "path": library.path, "loads": library.loads, "size": library.size, "map": library.map,
        "relocation": library.relocation, "initialization": library.initialization,
        "initializers": table.hasInitializers ? library.initializers : nil, "total": library.knownTotal,
        "heldUp": library.heldUp,
        "opened": library.isOpened ? true : nil,
      ])
    }
  }

  /// The member `openings`, with times relative to the launch's start.
  mutating func write(_ openings: [LibraryOpening], start: Int64) {
    objects("openings", openings) { json, opening in
      json.texts("paths", opening.paths)
      json.values([
        "start": opening.start - start, "duration": opening.duration, "thread": opening.thread,
        "threadID": opening.threadID, "mainThread": opening.isOnMainThread, "source": opening.source.rawValue,
        "lacksInitializers": opening.lacksInitializers ? true : nil,
      ])
    }
  }
}
