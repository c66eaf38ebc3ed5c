import { uploadKindOf, type UploadKind } from '../../../../../../shared/provider/knowledge-terms.ts'

/** A stored file to be added to a knowledge base, from any source. */
export interface ChosenSource {
  readonly mediaId: string
  readonly name: string
  readonly bytes: number
  /** Null for an unknown extension. */
  readonly kind: UploadKind | null
  /** The document of the Library that the text belongs to. */
  readonly itemId?: string
  /** The item of the Library that was chosen. */
  readonly libraryId?: string
}

/** Returns a stored file as a source. */
export const sourceOf = (
  { id, bytes }: { readonly id: string; readonly bytes: number },
  name: string,
): ChosenSource => ({ mediaId: id, name, bytes, kind: uploadKindOf(name)?.kind ?? null })

/** Returns the IDs of the files of chosen Library items, by the ID of the item. */
export const libraryFiles = (sources: readonly ChosenSource[]): ReadonlyMap<string, string> =>
  new Map(
    sources.flatMap(({ libraryId, mediaId }) =>
      libraryId === undefined ? [] : [[libraryId, mediaId]],
    ),
  )

/** Parses URLs, one per line, and returns the invalid lines separately. */
export function addressesIn(text: string): {
  readonly urls: readonly string[]
  readonly bad: readonly string[]
} {
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))].filter(
    (line) => line !== '',
  )
  const isUrl = (line: string): boolean => /^https?:\/\/[^\s/]+/i.test(line) && URL.canParse(line)
  return { urls: lines.filter(isUrl), bad: lines.filter((line) => !isUrl(line)) }
}

/** Parses separators, one per line, with the escapes `\n` and `\t`. */
export const separatorsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replaceAll('\\n', '\n').replaceAll('\\t', '\t')),
  ),
]
