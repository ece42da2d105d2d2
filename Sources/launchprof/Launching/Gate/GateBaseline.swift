// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchHistory
import LaunchTrace

/// The launches that a gate compares with: traces, or launches of the history.
enum GateBaseline {
  case launches([Measurement])
  /// Why there is no baseline.
  case missing(String)

  /// - Parameters:
  ///   - name: a directory, a file or a pattern; otherwise the name of a baseline in the history, or of a commit, as the history
  ///     or git knows it.
  ///   - store: the history.
  ///   - programs: of the history's launches, those of programs with these file names.
  ///   - configuration: and of this configuration; nil for the only one.
  init(_ name: String, store: HistoryStoreOption, programs: Set<String>, configuration: String?) throws {
    let paths: [String]
    do throws(TraceArgumentError) { paths = try TraceArguments.resolve([name]) } catch {
      self = .missing("the baseline \(error)")
      return
    }
    if paths != [name] || TraceArguments.exists(name) {
      do throws(TraceError) { self.init(try Measuring.read(paths)) } catch {
        // A trace of a newer version cannot be the baseline, but is not damaged.
        guard error.code == .unsupportedVersion else { throw error }
        self = .missing("the baseline \(error)")
      }
      return
    }
    guard TraceArguments.exists(store.place) else {
      self = .missing(
        "the baseline \(shown(name)) is not a file or directory, and there is no history at \(store.place)")
      return
    }
    do throws(HistoryError) {
      let history = try HistoryStore(path: store.place, makesNew: false)
      let reference = try Self.reference(name, in: history)
      self.init(try history.baseline(reference, programs: programs, configuration: configuration))
    } catch {
      // A history of a newer version is also a baseline that cannot be compared.
      self = .missing("the baseline is not a file or directory; the history \(error)")
    }
  }

  /// The history knows commits by their ids only. Any other name is git's, unless a baseline has it.
  ///
  /// - Throws: `HistoryError` if git knows the name, and the history does not have that commit.
  private static func reference(_ name: String, in history: HistoryStore) throws(HistoryError) -> String {
    do throws(HistoryError) { return try history.commit(named: name) } catch {
      guard error.code == .notFound else { throw error }
      var unknown = error
      let commit: String
      do throws(GitQuestion.Refusal) { commit = try CommitName.resolved(name) } catch {
        unknown.message += "; git cannot say whether it is a commit (\(error.reason))"
        throw unknown
      }
      guard commit != name else { throw unknown }
      return try history.commit(named: commit)
    }
  }

  private init(_ launches: [Measurement]) {
    self =
      launches.contains { $0.leftOut == nil } ? .launches(launches) : .missing("the baseline has no launch that counts")
  }

  /// nil if there is no baseline.
  var launches: [Measurement]? { if case .launches(let launches) = self { launches } else { nil } }

  /// Why there is no baseline; nil if there is one.
  var problem: String? { if case .missing(let reason) = self { reason } else { nil } }
}
