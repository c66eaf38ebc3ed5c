import dataUrl from './assets/welcome.mp3?inline'

/**
 * The sample offered in the empty state: a few sentences spoken by espeak-ng. It is embedded in the script, so that
 * trying it needs neither the network nor a separate route.
 */
export function sampleFile(): File {
  const binary = atob(dataUrl.slice(dataUrl.indexOf(',') + 1))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return new File([bytes], 'Welcome.mp3', { type: 'audio/mpeg' })
}
