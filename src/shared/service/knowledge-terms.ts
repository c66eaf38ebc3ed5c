/** Colours of a knowledge base (service-notes 7); the first is the service's default. */
export const backgrounds = ['blue', 'red', 'orange', 'purple', 'sky', 'green', 'yellow'] as const
/** Icons of a knowledge base (service-notes 7); the first is the service's default. */
export const icons = ['question', 'book', 'seal', 'wrench', 'tag', 'horn', 'house'] as const
/** Vectorisation models by id (service-notes 7): id and code always go together. */
export const embeddingModels = {
  3: 'Embedding-2',
  11: 'Embedding-3',
  12: 'Embedding-3-pro',
} as const

/** Id of a vectorisation model. */
export type EmbeddingId = keyof typeof embeddingModels
/** Ids of the vectorisation models, as a form offers them. */
export const embeddingIds: readonly EmbeddingId[] = [3, 11, 12]
/** The model a new base begins with. */
export const defaultEmbeddingId: EmbeddingId = 11

/** The code of a model that a service names by its id; null for one it does not publish. */
export const embeddingCode = (id: number | null): string | null =>
  embeddingIds.includes(id as EmbeddingId) ? embeddingModels[id as EmbeddingId] : null

/** A way of cutting documents (service-notes 7), and the kinds of files it fits; null: all. */
export interface SlicingKind {
  readonly type: 1 | 2 | 3 | 5 | 6 | 7
  readonly fits: readonly UploadKind[] | null
}

/** Kinds of files by what is in them. */
export type UploadKind = 'text' | 'pdf' | 'slides' | 'sheet' | 'picture'

/** Ways of cutting, the usual one first. */
export const slicingKinds: readonly SlicingKind[] = [
  { type: 1, fits: null },
  { type: 2, fits: ['text', 'sheet', 'pdf'] },
  { type: 5, fits: null },
  { type: 6, fits: ['pdf', 'slides', 'text', 'picture'] },
  { type: 3, fits: ['sheet'] },
  { type: 7, fits: null },
]

/** Characters of a piece where nobody said otherwise (service-notes 7). */
export const defaultSentenceSize = 300
/** Most separators of one document. */
export const maxSeparators = 32
/** Code of a failed embedding (service-notes 7): cannot be read or no room is left; too many words. */
export const embeddingCodes = { unreadable: 10001, tooManyWords: 10002 } as const

const megabyte = 1024 * 1024

/** What may be uploaded, by the ending of its name: what it is, and its most bytes (service-notes 16). */
export const uploadKinds: Readonly<
  Record<string, { readonly kind: UploadKind; readonly bytes: number }>
> = {
  md: { kind: 'text', bytes: 50 * megabyte },
  markdown: { kind: 'text', bytes: 50 * megabyte },
  txt: { kind: 'text', bytes: 50 * megabyte },
  doc: { kind: 'text', bytes: 50 * megabyte },
  docx: { kind: 'text', bytes: 50 * megabyte },
  pdf: { kind: 'pdf', bytes: 50 * megabyte },
  ppt: { kind: 'slides', bytes: 50 * megabyte },
  pptx: { kind: 'slides', bytes: 50 * megabyte },
  csv: { kind: 'sheet', bytes: 50 * megabyte },
  tsv: { kind: 'sheet', bytes: 50 * megabyte },
  xls: { kind: 'sheet', bytes: 50 * megabyte },
  xlsx: { kind: 'sheet', bytes: 50 * megabyte },
  png: { kind: 'picture', bytes: 10 * megabyte },
  jpg: { kind: 'picture', bytes: 10 * megabyte },
  jpeg: { kind: 'picture', bytes: 10 * megabyte },
}

/** What may be uploaded under a name; null for an ending nobody knows. */
export function uploadKindOf(
  name: string,
): { readonly kind: UploadKind; readonly bytes: number } | null {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(uploadKinds, ending) ? uploadKinds[ending] : null) ?? null
}

/** Whether a way of cutting fits what a file is. */
export const fitsSlicing = (type: SlicingKind['type'], kind: UploadKind): boolean =>
  slicingKinds.find((one) => one.type === type)?.fits?.includes(kind) ?? true
