/// Where things of the package lie on this machine.
public enum PackageRoot {
  /// The folder of Package.swift.
  public static let path: String = {
    let file = #filePath
    let components = file.split(separator: "/", omittingEmptySubsequences: false)
    return components.dropLast(3).joined(separator: "/")
  }()

  /// `relative` below the package's folder.
  public static func appending(_ relative: String) -> String { path + "/" + relative }

  /// A file below Tests/Fixtures.
  public static func fixture(_ relative: String) -> String { appending("Tests/Fixtures/" + relative) }
}
