/**
 * What the engine of this computer says about a text, one English sentence each: the service sends the sentences (spec 4.14
 * has no field of its own for them), the page tells them again in the reader's language.
 */
export const engineNotices = {
  silent: 'The sound is silent.',
  noWords: 'No English words were recognised. This engine understands English only.',
  uncertain:
    'The words are uncertain: the speech may be unclear or in another language. This engine understands English only.',
  optionsUnused: 'This engine uses neither the prompt nor the hotwords.',
  promptUnused: 'This engine does not use the prompt.',
  hotwordsUnused: 'This engine does not use the hotwords.',
  promptLong: 'The prompt is longer than the recommended 8000 characters.',
} as const

/** One of {@link engineNotices}. */
export type EngineNotice = keyof typeof engineNotices

/** A notice taken apart: known sentences by their name, anything else as the service wrote it. */
export function noticeParts(
  notice: string,
): readonly ({ readonly known: EngineNotice } | { readonly text: string })[] {
  const parts: ({ known: EngineNotice } | { text: string })[] = []
  let rest = notice.trim()
  const names = Object.keys(engineNotices) as EngineNotice[]
  while (rest !== '') {
    const name = names.find((one) => rest.startsWith(engineNotices[one]))
    if (name === undefined) return [...parts, { text: rest }]
    parts.push({ known: name })
    rest = rest.slice(engineNotices[name].length).trim()
  }
  return parts
}
