import { onScopeDispose, shallowRef } from 'vue'
import { listMicrophones, type Microphone } from './audio/sources.ts'

/** The microphones there are, kept up to date; their names come with the first permission. */
export function useMicrophones() {
  const microphones = shallowRef<readonly Microphone[]>([])
  // Absent where a page is not trusted with devices at all.
  const devices = 'mediaDevices' in navigator ? navigator.mediaDevices : null
  const refresh = async (): Promise<void> => {
    if (devices) microphones.value = await listMicrophones(devices).catch(() => [])
  }
  const onChange = (): void => void refresh()
  devices?.addEventListener('devicechange', onChange)
  onScopeDispose(() => devices?.removeEventListener('devicechange', onChange))
  void refresh()
  return { microphones, refresh }
}
