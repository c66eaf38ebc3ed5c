/** Categories of data in the data folder, in display order. */
export const storageKinds = [
  'recordings',
  'meetings',
  'documents',
  'pageImages',
  'chats',
  'voices',
  'knowledge',
  'runs',
  'database',
  'vectors',
  'backups',
  'computer',
  'bin',
  'strays',
  'archives',
  'quarantine',
  'logs',
] as const

export type FileCategory =
  | 'recordings'
  | 'documents'
  | 'pageImages'
  | 'chats'
  | 'voices'
  | 'knowledge'
  | 'runs'

/** Categories that can be cleaned up without losing saved data. */
export const cleanKinds = ['pageImages', 'bin', 'strays', 'archives', 'quarantine', 'logs'] as const
/** One of {@link cleanKinds}. */
export type CleanKind = (typeof cleanKinds)[number]

/** Bytes in one category. A file with several uses counts once, for the first category that uses it. */
export interface StorageKind {
  readonly kind: (typeof storageKinds)[number]
  readonly bytes: number
  /** Bytes its cleanup would free; null where there is none. */
  readonly frees: number | null
}
