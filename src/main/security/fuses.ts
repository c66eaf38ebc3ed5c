/**
 * Every fuse of Electron 45 by its name in @electron/fuses, stated. Packaging fails when Electron brings one more,
 * until somebody decides about it. `EnableCookieEncryption` stays off: the app keeps no cookies, and the key for them
 * would be asked for at the login keychain of macOS at the first start. Once on, it can never be turned off again.
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
