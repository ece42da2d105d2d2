// SPDX-License-Identifier: Apache-2.0

// The C library has another name on each platform. Who imports this module has it under the name LaunchPlatform.
#if canImport(Darwin)
@_exported import Darwin
#elseif canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#endif
