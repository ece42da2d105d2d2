// SPDX-License-Identifier: Apache-2.0

import Testing

/// Suites that launch programs from this process. They run one after the other, because signal dispositions belong to
/// the process.
@Suite(.serialized) enum InProcessLaunchTests {}
