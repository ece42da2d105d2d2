// SPDX-License-Identifier: Apache-2.0

/// How the files of recordings are named.
package enum TraceFile {
  package static let fileExtension = ".pftrace"
  /// Of a directory with the traces of several runs.
  package static let seriesExtension = ".launches"
}
