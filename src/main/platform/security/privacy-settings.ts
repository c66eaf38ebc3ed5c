import type { MicrophoneAccess, PrivacyPage } from '../../../shared/contract/system.ts'

/** Pages of the system settings, by name. Nothing else is opened this way: a page passes a name, never a URL. */
const pages: Readonly<Record<string, Readonly<Record<PrivacyPage, string>>>> = {
  darwin: {
    microphone: 'x-apple.systempreferences:com.apple.preference.security?Privacy_Microphone',
    // Called "Screen & System Audio Recording" since macOS 15.
    screen: 'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture',
  },
  win32: {
    microphone: 'ms-settings:privacy-microphone',
    // Windows needs no permission to record system audio; this page lists its audio devices.
    screen: 'ms-settings:sound',
  },
}

/** Returns the URL of a page of the system settings; null where the system has none (Linux). */
export function privacySettings(page: PrivacyPage, platform: string): string | null {
  return Object.hasOwn(pages, platform) ? (pages[platform]?.[page] ?? null) : null
}

/** Maps the system's permission status (`systemPreferences.getMediaAccessStatus`) to {@link MicrophoneAccess}. */
export function microphoneAccess(status: string): MicrophoneAccess {
  if (status === 'granted') return 'granted'
  if (status === 'not-determined') return 'undecided'
  return status === 'denied' || status === 'restricted' ? 'denied' : 'unknown'
}
