// SPDX-License-Identifier: Apache-2.0

// Who imports this module has the C library, too.
@_exported import LaunchPlatform
