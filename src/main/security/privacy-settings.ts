import type { MicrophoneAccess, PrivacyPage } from '../../shared/bridge/system.ts'

/** The system's own pages of settings, by name. Nothing else is ever opened this way: a page names one, never an address. */
const pages: Readonly<Record<string, Readonly<Record<PrivacyPage, string>>>> = {
  darwin: {
    microphone: 'x-apple.systempreferences:com.apple.preference.security?Privacy_Microphone',
    // Since macOS 15 the page is called Screen & System Audio Recording.
    screen: 'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture',
  },
  win32: {
    microphone: 'ms-settings:privacy-microphone',
    // Windows asks nobody for the computer's sound; its devices are on this page.
    screen: 'ms-settings:sound',
  },
}

/** The address of a page of the system's settings; null where the system has none (Linux). */
export function privacySettings(page: PrivacyPage, platform: string): string | null {
  return Object.hasOwn(pages, platform) ? (pages[platform]?.[page] ?? null) : null
}

/** The system's word for the permission (`systemPreferences.getMediaAccessStatus`) in ours. */
export function microphoneAccess(status: string): MicrophoneAccess {
  if (status === 'granted') return 'granted'
  if (status === 'not-determined') return 'undecided'
  return status === 'denied' || status === 'restricted' ? 'denied' : 'unknown'
}
