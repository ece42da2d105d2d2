// SPDX-License-Identifier: Apache-2.0

/// The name of the program stays bytes, too.
extension RecordCommand: PassingCommand { var passedWords: Int { PassedCommand(command).words.count } }

extension BenchCommand: PassingCommand { var passedWords: Int { PassedCommand(command).arguments.count } }
extension BisectCommand: PassingCommand { var passedWords: Int { PassedCommand(command).arguments.count } }
extension GateSelftestCommand: PassingCommand { var passedWords: Int { PassedCommand(command).arguments.count } }
extension OrderCommand: PassingCommand { var passedWords: Int { PassedCommand(command).arguments.count } }
extension GateCheckCommand: PassingCommand { var passedWords: Int { judged.program?.arguments.count ?? 0 } }
extension GateInitCommand: PassingCommand { var passedWords: Int { judged.program?.arguments.count ?? 0 } }
extension WhatIfCommand: PassingCommand { var passedWords: Int { subject.program?.arguments.count ?? 0 } }
