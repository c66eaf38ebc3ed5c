import type { KeychainProblem } from './keychain.ts'

/**
 * Error messages of the OS stores; the first match counts. Only `absent` means that there can be no key: an unavailable or
 * unresponsive bus may well have one behind it.
 */
const wordings: readonly (readonly [KeychainProblem, readonly RegExp[]])[] = [
  [
    'locked',
    [
      /prompt was dismissed/i,
      /\blocked\b/i,
      /user interaction is not allowed/i, // macOS, errSecInteractionNotAllowed
      /user canceled/i, // macOS, errSecUserCanceled
      /authori[sz]ation .*(denied|failed)|auth ?failed/i, // macOS, errSecAuthFailed
    ],
  ],
  ['noReply', [/did not receive a reply/i, /DBus\.Error\.(NoReply|Timeout|TimedOut)/i]],
  [
    'disconnected',
    [
      /failed to connect to socket/i,
      /connection (is |was )?(closed|reset|refused|lost)/i,
      /broken pipe|disconnected/i,
      /DBus\.Error\.(Disconnected|NoServer)/i,
    ],
  ],
  [
    'absent',
    [
      /autolaunch/i, // libdbus without the address of a session bus
      /DBus\.Error\.(ServiceUnknown|Spawn|NameHasNoOwner)/i,
      /not provided by any \.service/i,
      /no result found/i,
      /no (default )?(keychain|collection|store|storage)/i,
      /keychain could not be found|no such keychain/i, // macOS, errSecNoSuchKeychain
      /no such logon session/i, // Windows, ERROR_NO_SUCH_LOGON_SESSION
      /cannot find (the )?(module|native binding)|ERR_DLOPEN_FAILED/i,
    ],
  ],
]

/** Classifies the error of a keychain. Its message is only compared, never shown or logged. */
export function classifyProblem(error: unknown): KeychainProblem {
  const words = error instanceof Error ? error.message : String(error)
  const found = wordings.find(([, patterns]) => patterns.some((pattern) => pattern.test(words)))
  return found?.[0] ?? 'failed'
}
