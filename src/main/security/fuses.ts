/**
 * Every fuse of Electron 45 by its name in @electron/fuses, stated. Packaging fails when Electron brings one more,
 * until somebody decides about it. `EnableCookieEncryption` can never be turned off again.
 */
export const fuses = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
} as const
