/** Colors of a knowledge base (service-notes 7); the first is the provider's default. */
export const backgrounds = ['blue', 'red', 'orange', 'purple', 'sky', 'green', 'yellow'] as const
/** Icons of a knowledge base (service-notes 7); the first is the provider's default. */
export const icons = ['question', 'book', 'seal', 'wrench', 'tag', 'horn', 'house'] as const
/** Embedding models by ID (service-notes 7): ID and code always belong together. */
export const embeddingModels = {
  3: 'Embedding-2',
  11: 'Embedding-3',
  12: 'Embedding-3-pro',
} as const

export type EmbeddingId = keyof typeof embeddingModels
/** IDs of the embedding models in the order of the form. */
export const embeddingIds: readonly EmbeddingId[] = [3, 11, 12]
/** Default model of a new knowledge base. */
export const defaultEmbeddingId: EmbeddingId = 11

/** Returns the code of a model by the provider's ID; null for an unpublished one. */
export const embeddingCode = (id: number | null): string | null =>
  embeddingIds.includes(id as EmbeddingId) ? embeddingModels[id as EmbeddingId] : null

/** A chunking method (service-notes 7), and the file types it supports; null means all. */
interface SlicingKind {
  readonly type: 1 | 2 | 3 | 5 | 6 | 7
  readonly fits: readonly UploadKind[] | null
}

/** File types by content. */
export type UploadKind = 'text' | 'pdf' | 'slides' | 'sheet' | 'picture'

/** Chunking methods, default first. */
export const slicingKinds: readonly SlicingKind[] = [
  { type: 1, fits: null },
  { type: 2, fits: ['text', 'sheet', 'pdf'] },
  { type: 5, fits: null },
  { type: 6, fits: ['pdf', 'slides', 'text', 'picture'] },
  { type: 3, fits: ['sheet'] },
  { type: 7, fits: null },
]

/** Default number of characters in a chunk (service-notes 7). */
export const defaultSentenceSize = 300
/** Maximum number of separators of one document. */
export const maxSeparators = 32
/** Codes of a failed embedding (service-notes 7): unreadable or no space left; too many words. */
export const embeddingCodes = { unreadable: 10001, tooManyWords: 10002 } as const

const megabyte = 1024 * 1024

/** Supported uploads by file extension: type and maximum bytes (service-notes 16). */
const uploadKinds: Readonly<Record<string, { readonly kind: UploadKind; readonly bytes: number }>> =
  {
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

/** Returns the upload rule for a file name; null for an unknown extension. */
export function uploadKindOf(
  name: string,
): { readonly kind: UploadKind; readonly bytes: number } | null {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(uploadKinds, ending) ? uploadKinds[ending] : null) ?? null
}

/** Returns whether a chunking method supports a file type. */
export const fitsSlicing = (type: SlicingKind['type'], kind: UploadKind): boolean =>
  slicingKinds.find((one) => one.type === type)?.fits?.includes(kind) ?? true
