/** What takes room in the data folder, in the order in which it is shown. */
export const storageKinds = [
  'recordings',
  'meetings',
  'documents',
  'pictures',
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

/** What can be cleaned up without losing anything that is kept. */
export const cleanKinds = ['pictures', 'bin', 'strays', 'archives', 'quarantine', 'logs'] as const
/** One of {@link cleanKinds}. */
export type CleanKind = (typeof cleanKinds)[number]

/** Bytes of one kind. A file that several things use counts once, for the first kind that uses it. */
export interface StorageKind {
  readonly kind: (typeof storageKinds)[number]
  readonly bytes: number
  /** What its clean-up would free; null where there is none. */
  readonly frees: number | null
}
