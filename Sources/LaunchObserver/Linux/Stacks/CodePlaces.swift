// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols
internal import LaunchTrace

/// Finds the image of a code address in the observed processes, and the rule to find the caller from there.
final class CodePlaces {
  private struct Key: Hashable {
    var processID: Int32
    var address: UInt64
    /// Programs that the process had executed by then.
    var generation: Int
  }

  private struct Code {
    var frame: StackFrame
    var rule: Rule
    /// When it was mapped there. Later, another library may be.
    var times: Range<Int64>
    /// It is in the kernel's code in the program.
    var isOfKernel = false
  }

  private enum Rule {
    case unread
    case read(UnwindRule?)
  }

  private let history: ProcessHistory
  private let images: ImageCache
  private let compiled: CompiledNames
  private lazy var kernelCode = KernelCode()
  private var known: [Key: Code] = [:]

  /// - Parameter start: when the launch began, CLOCK_MONOTONIC ns.
  init(_ history: ProcessHistory, images: ImageCache, since start: Int64) {
    self.history = history
    self.images = images
    compiled = CompiledNames(since: start)
  }

  /// The frame of an instruction. Its image is empty if no code was mapped there.
  func frame(_ place: PerfEvents.Occurrence, _ address: UInt64) -> StackFrame {
    code(key(place, address), place.time).frame
  }

  /// How to find the caller from an instruction; nil if no table says that.
  func rule(_ place: PerfEvents.Occurrence, _ address: UInt64) -> UnwindRule? {
    let key = key(place, address)
    let code = code(key, place.time)
    if case .read(let rule) = code.rule { return rule }
    let rule = table(of: code)?.rule(at: code.frame.address)
    known[key]?.rule = .read(rule)
    return rule
  }

  private func key(_ place: PerfEvents.Occurrence, _ address: UInt64) -> Key {
    let generation = history.execTimes[place.processID]?.count { $0 <= place.time } ?? 0
    return Key(processID: place.processID, address: address, generation: generation)
  }

  private func code(_ key: Key, _ time: Int64) -> Code {
    if let known = known[key], known.times.contains(time) { return known }
    var frame = StackFrame(address: key.address)
    // Code that is mapped later may be where there is none now.
    guard let mapping = history.code(of: key.processID, at: key.address, time: time) else {
      return Code(frame: frame, rule: .read(nil), times: time..<time)
    }
    let offset = key.address - mapping.address + mapping.offset
    let image = mapping.isOfFile ? images.image(mapping.path) : nil
    frame.image = mapping.path == PerfEvents.Mapping.withoutFile ? "[compiled]" : mapping.path
    frame.buildID = image?.buildID ?? ""
    frame.address = image?.address(ofOffset: offset) ?? offset
    let isOfKernel = KernelCode.isAt(mapping)
    if isOfKernel {
      frame.function = kernelCode?.function(at: frame.address) ?? ""
    } else if image == nil {
      frame.function = compiled.name(of: key.processID, at: key.address) ?? ""
    }
    let end = history.nextCode(of: key.processID, at: key.address, after: time)
    let code = Code(frame: frame, rule: .unread, times: mapping.place.time..<end, isOfKernel: isOfKernel)
    known[key] = code
    return code
  }

  private func table(of code: Code) -> UnwindTable? {
    if code.isOfKernel { return kernelCode?.unwindTable }
    return code.frame.image.hasPrefix("/") ? images.unwindTable(code.frame.image) : nil
  }
}
