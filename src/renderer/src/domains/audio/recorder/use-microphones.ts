import { onScopeDispose, shallowRef } from 'vue'
import { listMicrophones, type Microphone } from './audio/sources.ts'

/** Available microphones, updated live; their names are available after the first permission. */
export function useMicrophones() {
  const microphones = shallowRef<readonly Microphone[]>([])
  // Absent where the page is not a secure context.
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
