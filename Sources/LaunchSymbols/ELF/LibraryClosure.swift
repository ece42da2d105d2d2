#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program and all the libraries that the loader will map for it, found as ld.so(8) finds them, without running anything.
package struct LibraryClosure: Sendable {
  package struct Library: Sendable {
    /// As it is asked for.
    package var name: String
    package var file: ELFFile
  }

  package let program: ELFFile
  /// In the order in which the loader meets them.
  package let libraries: [Library]
  /// What was asked for and not found.
  package let missing: [String]

  /// No program asks for more; a made-up one could.
  private static let most = 4096

  /// - Parameters:
  ///   - extraPaths: of `LD_LIBRARY_PATH`.
  ///   - cache: `/etc/ld.so.cache`.
  /// - Throws: `SymbolError` when the program itself cannot be read.
  package init(
    of path: String, extraPaths: [String] = [], cache: LoaderCache = LoaderCache(path: "/etc/ld.so.cache")
  ) throws(SymbolError) {
    program = try ELFFile(path: path)
    var (found, missing): ([Library], [String]) = ([], [])
    var known: Set<String> = []
    var open = [program]
    var next = 0
    while next < open.count, known.count < Self.most {
      let file = open[next]
      next += 1
      for name in file.neededLibraries where known.insert(name).inserted {
        let candidates = Self.candidates(name, for: file, program: program, extraPaths: extraPaths, cache: cache)
        // One of another machine is passed over, as the loader does.
        guard let library = candidates.lazy.compactMap({ try? ELFFile(path: $0) }).first else {
          missing.append(name)
          continue
        }
        found.append(Library(name: name, file: library))
        open.append(library)
      }
    }
    (libraries, self.missing) = (found, missing)
  }

  private static func candidates(
    _ name: String, for file: ELFFile, program: ELFFile, extraPaths: [String], cache: LoaderCache
  ) -> [String] {
    if name.contains("/") { return [name] }
    var directories = file.searchPaths.map { expanded($0, of: file) }
    if file.path != program.path { directories += program.searchPaths.map { expanded($0, of: program) } }
    directories += extraPaths
    let standard = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"]
    return directories.map { $0 + "/" + name } + [cache.path(of: name)].compactMap(\.self)
      + standard.map { $0 + "/" + name }
  }

  private static func expanded(_ path: String, of file: ELFFile) -> String {
    let real = file.path.withCString { realpath($0, nil) }
    defer { free(real) }
    let whole = real.map { String(cString: $0) } ?? file.path
    let directory = whole.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return ["${ORIGIN}", "$ORIGIN"].reduce(path) { path, variable in
      guard let place = path.firstRange(of: variable) else { return path }
      return path[..<place.lowerBound] + directory + path[place.upperBound...]
    }
  }
}
