/**
 * Explicit value of every fuse of Electron 45, by its name in @electron/fuses. Packaging fails when Electron adds a fuse
 * until a value is chosen for it. `EnableCookieEncryption` stays off: the app stores no cookies, and macOS would request
 * access to the login keychain for its key at the first start. Once on, it can never be turned off again.
 */
export const fuses = {
  RunAsNode: false,
  EnableCookieEncryption: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
} as const
