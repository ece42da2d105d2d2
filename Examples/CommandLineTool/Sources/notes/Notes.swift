// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchProfiler

/// Lists the notes of a folder, newest first, from an index in SQLite that it brings up to date when it starts.
///
///     notes [--background] [DIRECTORY]
///
/// With `--background` it answers from the index as it stands and reads the folder afterwards, on another thread.
@main
struct Notes {
  static let signposter = LaunchSignposter(subsystem: "org.example.notes", category: "Launch")

  static func main() {
    LaunchProfiler.metadata(version: "2.1")
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      try run(options)
    } catch {
      FileHandle.standardError.write(Data("notes: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ options: Options) throws {
    let folder = NoteFolder(directory: options.directory)
    if !folder.exists {
      // So that statistics do not mix this launch with others.
      LaunchProfiler.metadata(kind: "first")
      try LaunchProfiler.phase(.oneTimeSetup) { try folder.fillWithExamples() }
    }
    let configuration = try LaunchProfiler.phase(.willFinishLaunching) {
      try signposter.withIntervalSignpost("parse configuration") {
        try Configuration(path: folder.configurationPath)
      }
    }
    let index = try LaunchProfiler.phase(.didFinishLaunching) {
      let index = try signposter.withIntervalSignpost("open database") { try NoteIndex(path: folder.indexPath) }
      if !options.background { try refresh(index, from: folder) }
      return index
    }
    try show(index, configuration)
    LaunchProfiler.mark(.ready)

    if options.background {
      let reading = Task.detached { try refresh(index, from: folder) }
      try wait(for: reading)
    }
    LaunchProfiler.fullyDrawn()
  }

  /// Reads what changed in the folder into the index.
  static func refresh(_ index: NoteIndex, from folder: NoteFolder) throws {
    let notes = try signposter.withIntervalSignpost("read notes") { try folder.readAll() }
    LaunchProfiler.counter("notes", value: Double(notes.count))
    try signposter.withIntervalSignpost("update index") { try index.update(notes) }
  }

  static func show(_ index: NoteIndex, _ configuration: Configuration) throws {
    try signposter.withIntervalSignpost("query") {
      print("\(try index.count()) notes; newest:")
      for title in try index.newest(configuration.shown) { print("  \(title)") }
    }
  }

  private static func wait(for task: Task<Void, any Error>) throws {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: Result<Void, any Error> = .success(())
    Task.detached {
      result = await task.result
      done.signal()
    }
    done.wait()
    try result.get()
  }
}
