import { localMinute } from '../../../../shared/text/local-time.ts'
import type { ExportPage, ExportSource } from './document-export-types.ts'
import { documentLabels } from './labels.ts'

/**
 * Returns the facts above a document's text: its origin, and for each version how many pages were requested and returned.
 */
export function factLines(source: ExportSource): readonly string[] {
  const words = documentLabels[source.language]
  return [
    `${words.source}: ${source.name} · ${words.ofDocument(source.pageCount)}`,
    ...source.versions.map(
      ({ number, engine, state, counts, createdAt }) =>
        `${words.version({
          number,
          engine,
          when: localMinute(createdAt),
          state: words.states[state],
        })} · ${words.counts(counts)}`,
    ),
  ]
}

/** Returns the sentence in place of a missing page, with the reason; null for a page that was returned. */
export function missingLine(
  { page, state, error }: ExportPage,
  source: ExportSource,
): string | null {
  if (state === 'returned') return null
  const kind = state === 'sent' ? 'waiting' : state
  const sentence = documentLabels[source.language].missing[kind](page)
  return error === null ? sentence : `${sentence} (${error.code}: ${error.message})`
}
