// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The content of a file. Blocks are copied into memory when they are first used.
///
/// The file is not mapped, because a build may replace it while it is read. A mapped page beyond the new end would
/// raise SIGBUS; here, the content is only missing. Safe from any thread.
final class FileContent: @unchecked Sendable {
  /// Size of the file in bytes when it was opened.
  let count: UInt64

  private let path: String
  private let identity: Identity
  /// A mapping as large as the file. Unused parts take no memory.
  private let memory: UnsafeMutableRawBufferPointer
  /// For each block; protected by the lock.
  private var isLoaded: [Bool]
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  private struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64
  }

  /// mprotect(2) needs whole pages: of up to 64 KiB on arm64.
  private static let blockSize = max(1 << 14, Int(sysconf(Int32(_SC_PAGESIZE))))
  /// A larger table is not plausible.
  private static let mostAtOnce: UInt64 = 1 << 31

  /// - Throws: `SymbolError` if the file does not exist, is empty, or is not a regular file.
  convenience init(path: String) throws(SymbolError) {
    guard let (file, facts) = Self.opened(path) else { throw Self.failure(path) }
    close(file)
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw SymbolError(.unsupported, path: path, message: "is not a regular file")
    }
    let size = Int(facts.st_size)
    guard size > 0 else { throw SymbolError(.malformed, path: path, message: "the file is empty") }
    try self.init(path: path, Self.identity(facts), size: size, isLoaded: false)
  }

  /// Content that is in memory already: there is no file to read blocks of.
  ///
  /// - Throws: `SymbolError` if it is empty, or if there is no memory for a copy.
  convenience init(copying bytes: UnsafeRawBufferPointer, path: String) throws(SymbolError) {
    guard !bytes.isEmpty else { throw SymbolError(.malformed, path: path, message: "it is empty") }
    try self.init(path: path, Identity(device: 0, inode: 0), size: bytes.count, isLoaded: true)
    memory.copyMemory(from: bytes)
  }

  private init(path: String, _ identity: Identity, size: Int, isLoaded: Bool) throws(SymbolError) {
    let rights = isLoaded ? PROT_READ | PROT_WRITE : PROT_NONE
    let address = mmap(nil, size, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address, address != MAP_FAILED else { throw Self.failure(path) }
    (self.path, self.identity, count) = (path, identity, UInt64(size))
    memory = UnsafeMutableRawBufferPointer(start: address, count: size)
    self.isLoaded = [Bool](repeating: isLoaded, count: (size - 1) / Self.blockSize + 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    munmap(memory.baseAddress, memory.count)
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// The integer at `offset`, little-endian; nil outside the file.
  func read<T: FixedWidthInteger>(_ type: T.Type = T.self, at offset: UInt64) -> T? {
    self[offset, UInt64(MemoryLayout<T>.size)]?.read(type, at: 0)
  }

  /// The range `offset..<offset + size`; nil if it reaches outside, or if the file has been truncated. Valid as long
  /// as the content exists.
  subscript(offset: UInt64, size: UInt64) -> ByteRange? {
    guard offset <= count, count - offset >= size, size <= Self.mostAtOnce else { return nil }
    let range = Int(offset)..<Int(offset + size)
    guard range.isEmpty || load(range) else { return nil }
    return ByteRange(UnsafeRawBufferPointer(rebasing: memory[range]))
  }

  private func load(_ range: Range<Int>) -> Bool {
    let blocks = range.lowerBound / Self.blockSize..<(range.upperBound - 1) / Self.blockSize + 1
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if blocks.allSatisfy({ isLoaded[$0] }) { return true }
    // The file is opened for each block, because hundreds of files may be in use.
    guard let (file, facts) = Self.opened(path) else { return false }
    defer { close(file) }
    guard Self.identity(facts) == identity else { return false }
    // Loaded blocks do not change, because another thread may be reading them.
    var next = blocks.lowerBound
    while let first = blocks[next...].first(where: { !isLoaded[$0] }) {
      next = blocks[first...].first { isLoaded[$0] } ?? blocks.upperBound
      guard copy(first..<next, of: file) else { return false }
      for block in first..<next { isLoaded[block] = true }
    }
    return true
  }

  private func copy(_ blocks: Range<Int>, of file: Int32) -> Bool {
    let range = blocks.lowerBound * Self.blockSize..<min(blocks.upperBound * Self.blockSize, memory.count)
    let target = UnsafeMutableRawBufferPointer(rebasing: memory[range])
    guard mprotect(target.baseAddress, target.count, PROT_READ | PROT_WRITE) == 0 else { return false }
    var done = 0
    while done < target.count {
      let got = pread(file, target.baseAddress?.advanced(by: done), target.count - done, off_t(range.lowerBound + done))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return false }
      done += got
    }
    return true
  }

  private static func opened(_ path: String) -> (Int32, stat)? {
    // Without blocking, because a path of a trace may now name a FIFO.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    var facts = stat()
    guard fstat(file, &facts) == 0 else {
      close(file)
      return nil
    }
    return (file, facts)
  }

  private static func identity(_ facts: stat) -> Identity {
    Identity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
  }

  private static func failure(_ path: String) -> SymbolError {
    SymbolError(.cannotOpen, path: path, message: "cannot be read: \(systemMessage(errno))", errno: errno)
  }
}
