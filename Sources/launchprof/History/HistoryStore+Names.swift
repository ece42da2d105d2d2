// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchHistory

extension HistoryStore {
  /// The history knows commits by their ids only. Any other name is git's, unless a baseline has it.
  ///
  /// - Parameter mayLackLaunches: whether git's commit may be one that the history does not have.
  /// - Throws: `HistoryError` if it is not, and the history does not have that commit, or if git does not know the name.
  func commit(byAnyName name: String, mayLackLaunches: Bool) throws(HistoryError) -> String {
    do throws(HistoryError) { return try commit(named: name) } catch {
      guard error.code == .notFound else { throw error }
      var unknown = error
      let known: String
      do throws(GitQuestion.Refusal) { known = try CommitName.resolved(name) } catch {
        unknown.message += "; git cannot say whether it is a commit (\(error.reason))"
        throw unknown
      }
      guard known != name else { throw unknown }
      do throws(HistoryError) { return try commit(named: known) } catch {
        guard error.code == .notFound else { throw error }
        if mayLackLaunches, CommitID.isWhole(known) { return known }
        // Who asks for `main` may not know which commit this is.
        unknown.message += "; for git, \(shown(name)) is commit \(CommitName.short(known)), of which it has no launches"
        throw unknown
      }
    }
  }
}
