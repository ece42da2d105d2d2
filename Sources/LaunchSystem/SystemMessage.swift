// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system's message for an errno.
package func systemMessage(_ error: Int32) -> String { String(cString: strerror(error)) }
