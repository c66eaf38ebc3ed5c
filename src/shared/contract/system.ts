import { z } from 'zod'
import { route } from './contract.ts'

/**
 * `undecided`: the system has not asked the user yet; `unknown`: there is no such permission, or the host cannot
 * determine it.
 */
export type MicrophoneAccess = 'granted' | 'denied' | 'undecided' | 'unknown'

/** Pages of the system settings that can be opened. */
export const privacyPages = ['microphone', 'screen'] as const

/** One of {@link privacyPages}; `screen` is where macOS lists apps that may record the computer's audio. */
export type PrivacyPage = (typeof privacyPages)[number]

/** `absent`: the system does not start this host, a browser tab. */
export type LoginState = 'on' | 'off' | 'absent'

/** Progress of work: 0 to 1, or unknown; null for none. */
export type Progress = number | 'unknown' | null

/** Lectern's own folders that the system's file manager can show. */
export const ownFolders = ['data', 'logs'] as const

/** One of {@link ownFolders}. */
export type OwnFolder = (typeof ownFolders)[number]

/** Routes of operating system features. */
export const system = {
  microphone: route<{ readonly access: MicrophoneAccess; readonly settings: boolean }>()(
    z.strictObject({}),
  ),
  /** Lets the system ask the user, unless it already did. */
  askMicrophone: route<{ readonly access: MicrophoneAccess }>()(z.strictObject({})),
  /** Opens a page of the system settings; `opened` is false if there is none. */
  openSettings: route<{ readonly opened: boolean }>()(
    z.strictObject({ page: z.enum(privacyPages) }),
  ),
  /** Shows one of Lectern's own folders; `shown` is false if there is no file manager. */
  showFolder: route<{ readonly shown: boolean }>()(z.strictObject({ folder: z.enum(ownFolders) })),
  login: route<{ readonly state: LoginState }>()(z.strictObject({})),
  /** Enables or disables starting Lectern at login. */
  setLogin: route<{ readonly state: LoginState }>()(z.strictObject({ on: z.boolean() })),
  /** Sets the overall progress shown in the taskbar. */
  progress: route<Record<string, never>>()(
    z.strictObject({
      progress: z.union([z.number().min(0).max(1), z.literal('unknown')]).nullable(),
    }),
  ),
}
