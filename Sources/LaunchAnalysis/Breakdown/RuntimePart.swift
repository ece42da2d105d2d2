// SPDX-License-Identifier: Apache-2.0

/// What the Swift runtime does while a program runs, by the functions that do it.
enum RuntimePart: String, CaseIterable {
  case lazyGlobals = "lazy globals"
  case conformances = "protocol conformances"
  case metadata = "type metadata"
  case casts = "dynamic casts"
  case reflection = "reflection"
  case allocation = "allocation"
  case counting = "reference counting"
  case tasks = "starting tasks"
  case foundation = "Foundation"
  case unicode = "ICU"

  /// The part that a function belongs to; nil for all other code.
  ///
  /// - Parameters:
  ///   - function: demangled.
  ///   - library: file name of its image.
  init?(function: String, library: String) {
    guard let part = Self.byName(function) ?? Self.byLibrary(library) ?? Self.byModule(function) else { return nil }
    self = part
  }

  private static func byName(_ name: String) -> RuntimePart? {
    // Most names fail the checks below at once. Each function is looked up only once.
    if let known = whole[name] { return known }
    if let found = prefixes.first(where: { name.hasPrefix($0.text) }) { return found.part }
    return name.contains("::once_slow(") ? .lazyGlobals : nil
  }

  private static func byLibrary(_ library: String) -> RuntimePart? {
    if library.hasPrefix("lib_FoundationICU.") { return .unicode }
    return library.hasPrefix("libFoundation") ? .foundation : nil
  }

  /// In a static executable the file name does not tell.
  private static func byModule(_ name: String) -> RuntimePart? {
    if name.hasPrefix("icu_") { return .unicode }
    guard name.utf8.contains(UInt8(ascii: ".")), let module = CodeNames.module(of: name) else { return nil }
    return module.hasPrefix("Foundation") ? .foundation : nil
  }

  private static let whole: [String: RuntimePart] = [
    "swift_once": .lazyGlobals, "malloc": .allocation, "calloc": .allocation, "realloc": .allocation,
    "free": .allocation, "posix_memalign": .allocation, "_int_malloc": .allocation, "_int_free": .allocation,
    "swift_initStackObject": .allocation, "swift_setDeallocating": .counting, "swift_deallocClassInstance": .allocation,
    "__swift_instantiateConcreteTypeFromMangledName": .metadata, "__swift_instantiateGenericMetadata": .metadata,
  ]

  private static let prefixes: [(text: String, part: RuntimePart)] = [
    ("one-time initialization function for ", .lazyGlobals),
    ("swift_conformsToProtocol", .conformances), ("swift_getWitnessTable", .conformances),
    ("swift_getAssociated", .conformances), ("swift_getConformance", .conformances),
    ("lazy protocol witness table accessor", .conformances),
    ("swift_getGenericMetadata", .metadata), ("swift_getTypeByMangled", .metadata),
    ("swift_getSingletonMetadata", .metadata), ("swift_getForeignTypeMetadata", .metadata),
    ("swift_getCanonical", .metadata), ("swift_checkMetadataState", .metadata), ("swift_getTuple", .metadata),
    ("swift_getFunctionType", .metadata), ("swift_getExistential", .metadata), ("swift_getMetatype", .metadata),
    ("swift_getOpaqueType", .metadata), ("swift_initClassMetadata", .metadata),
    ("swift_updateClassMetadata", .metadata),
    ("swift_initStructMetadata", .metadata), ("swift_initEnumMetadata", .metadata),
    ("swift_allocateGeneric", .metadata), ("type metadata accessor for ", .metadata),
    ("type metadata completion function for ", .metadata), ("type metadata instantiation function for ", .metadata),
    ("swift_dynamicCast", .casts), ("swift_isClassType", .casts),
    ("swift_reflectionMirror", .reflection), ("Swift.Mirror.", .reflection), ("swift_getTypeName", .reflection),
    ("Swift._typeName(", .reflection), ("Swift._print_unlocked", .reflection), ("Swift._adHocPrint", .reflection),
    ("swift_alloc", .allocation), ("swift_slowAlloc", .allocation), ("swift_slowDealloc", .allocation),
    ("swift_dealloc", .allocation), ("operator new", .allocation), ("operator delete", .allocation),
    ("swift_retain", .counting), ("swift_release", .counting), ("_swift_retain", .counting),
    ("_swift_release", .counting), ("swift_bridgeObject", .counting), ("swift_weak", .counting),
    ("swift_unowned", .counting), ("swift_unknownObject", .counting), ("swift_isUniquelyReferenced", .counting),
    ("swift_nonatomic", .counting), ("outlined copy of ", .counting), ("outlined consume of ", .counting),
    ("swift_task_create", .tasks), ("swift_task_enqueue", .tasks), ("swift_asyncLet", .tasks),
    ("swift_taskGroup", .tasks),
  ]
}
