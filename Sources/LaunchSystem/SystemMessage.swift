// SPDX-License-Identifier: Apache-2.0

/// The system's message for an errno.
package func systemMessage(_ error: Int32) -> String { String(cString: strerror(error)) }
