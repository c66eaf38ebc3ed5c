import { uploadKindOf, type UploadKind } from '../../../../../shared/service/knowledge-terms.ts'

/** A file that is to go into a base: kept here already, wherever it came from. */
export interface ChosenSource {
  readonly mediaId: string
  readonly name: string
  readonly bytes: number
  /** Null for an ending that nobody knows. */
  readonly kind: UploadKind | null
  /** The document of the Library whose text it is. */
  readonly itemId?: string
}

/** A kept file as it is chosen. */
export const sourceOf = (
  { id, bytes }: { readonly id: string; readonly bytes: number },
  name: string,
): ChosenSource => ({ mediaId: id, name, bytes, kind: uploadKindOf(name)?.kind ?? null })

/** Addresses as they are typed, one a line, and the lines that are none. */
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

/** Separators as they are typed, one a line; `\n` and `\t` stand for what they name. */
export const separatorsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replaceAll('\\n', '\n').replaceAll('\\t', '\t')),
  ),
]
