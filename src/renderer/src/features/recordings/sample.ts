import dataUrl from './assets/inaugural-1961.mp3?inline'

/**
 * The sample that the empty state offers: eleven seconds of the inaugural address of 1961 (public domain). It travels
 * inside the script, so that trying it needs neither the network nor a route of its own.
 */
export function sampleFile(): File {
  const binary = atob(dataUrl.slice(dataUrl.indexOf(',') + 1))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return new File([bytes], 'Inaugural address, 1961.mp3', { type: 'audio/mpeg' })
}
