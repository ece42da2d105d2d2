// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// How to create a scene: an entry of the scene manifest. Mirrors `UISceneConfiguration`.
@MainActor
public struct SceneConfiguration {
  public var name: String
  public var sceneClass: WindowScene.Type
  public var delegateClass: (any SceneDelegate.Type)?
  /// The main interface; nil if the scene delegate creates its window.
  public var storyboard: Storyboard?

  public init(
    name: String = "Default Configuration", sceneClass: WindowScene.Type = WindowScene.self,
    delegateClass: (any SceneDelegate.Type)? = nil, storyboard: Storyboard? = nil
  ) {
    self.name = name
    self.sceneClass = sceneClass
    self.delegateClass = delegateClass
    self.storyboard = storyboard
  }
}
#endif
