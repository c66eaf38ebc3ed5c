import { localMinute } from '../../../shared/text/local-time.ts'
import type { ExportPage, ExportSource } from './types.ts'
import { documentLabels } from './labels.ts'

/** What is told about a document before its text: where it came from, and of each version how many pages were asked for and came back. */
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

/** The sentence that stands where a page is missing, with the reason it was given; null for a page that was returned. */
export function missingLine(
  { page, state, error }: ExportPage,
  source: ExportSource,
): string | null {
  if (state === 'returned') return null
  const kind = state === 'sent' ? 'waiting' : state
  const sentence = documentLabels[source.language].missing[kind](page)
  return error === null ? sentence : `${sentence} (${error.code}: ${error.message})`
}
