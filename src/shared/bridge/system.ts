import { z } from 'zod'
import { route } from './contract.ts'

/** `undecided`: the system has not asked its user yet; `unknown`: it has no such permission, or the host cannot tell. */
export type MicrophoneAccess = 'granted' | 'denied' | 'undecided' | 'unknown'

/** Pages of the system's settings that can be opened. */
export const privacyPages = ['microphone', 'screen'] as const

/** One of {@link privacyPages}; `screen` is where macOS lists who may record the computer's sound. */
export type PrivacyPage = (typeof privacyPages)[number]

/** `absent`: this host is not started by the system, a browser tab. */
export type LoginState = 'on' | 'off' | 'absent'

/** How far some work is: 0 to 1, or that nobody knows; null for none. */
export type Progress = number | 'unknown' | null

/** Folders of Lectern's own that the system's file manager can show. */
export const ownFolders = ['data', 'logs'] as const

/** One of {@link ownFolders}. */
export type OwnFolder = (typeof ownFolders)[number]

/** Routes of what the operating system decides or does for the app. */
export const system = {
  microphone: route<{ readonly access: MicrophoneAccess; readonly settings: boolean }>()(
    z.strictObject({}),
  ),
  /** Lets the system ask its user, where it has not yet. */
  askMicrophone: route<{ readonly access: MicrophoneAccess }>()(z.strictObject({})),
  /** Opens a page of the system's settings; `opened` is false where there is none. */
  openSettings: route<{ readonly opened: boolean }>()(
    z.strictObject({ page: z.enum(privacyPages) }),
  ),
  /** Shows one of Lectern's own folders; `shown` is false where there is no file manager. */
  showFolder: route<{ readonly shown: boolean }>()(z.strictObject({ folder: z.enum(ownFolders) })),
  login: route<{ readonly state: LoginState }>()(z.strictObject({})),
  /** Starts Lectern when its user logs in, or no longer. */
  setLogin: route<{ readonly state: LoginState }>()(z.strictObject({ on: z.boolean() })),
  /** How far everything is that is under way, for the taskbar. */
  progress: route<Record<string, never>>()(
    z.strictObject({
      progress: z.union([z.number().min(0).max(1), z.literal('unknown')]).nullable(),
    }),
  ),
}
