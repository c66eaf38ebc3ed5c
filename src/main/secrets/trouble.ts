import type { KeychainTrouble } from './keychain.ts'

/** How the OS stores word a store that is there and closed, or a prompt the user turned away. */
const locked = [
  /prompt was dismissed/i,
  /\blocked\b/i,
  /user interaction is not allowed/i, // macOS, errSecInteractionNotAllowed
  /user canceled/i, // macOS, errSecUserCanceled
  /authori[sz]ation .*(denied|failed)|auth ?failed/i, // macOS, errSecAuthFailed
]

/** How they word that there is no store: no session bus, no secret service on it, no default collection, no vault. */
const absent = [
  /dbus error/i,
  /org\.freedesktop\.DBus\.Error\.(ServiceUnknown|NoServer|NoReply|Disconnected|Spawn)/i,
  /not provided by any \.service/i,
  /no result found/i,
  /no (default )?(keychain|collection|store|storage)/i,
  /keychain could not be found|no such keychain/i, // macOS, errSecNoSuchKeychain
  /no such logon session/i, // Windows, ERROR_NO_SUCH_LOGON_SESSION
  /cannot find (the )?(module|native binding)|ERR_DLOPEN_FAILED/i,
]

/** Sorts what a keychain threw. Reads the words only to compare them: they are never shown or logged. */
export function classifyTrouble(error: unknown): KeychainTrouble {
  const words = error instanceof Error ? error.message : String(error)
  if (locked.some((pattern) => pattern.test(words))) return 'locked'
  if (absent.some((pattern) => pattern.test(words))) return 'absent'
  return 'failed'
}
