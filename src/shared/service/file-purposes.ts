/** What an upload for one purpose may be: endings of its name, and bytes. */
export interface PurposeRule {
  /** Undefined: any. */
  readonly endings?: readonly string[]
  readonly bytes: number
  /** A tighter limit for pictures. */
  readonly imageBytes?: number
}

const megabyte = 1024 * 1024

const documents: PurposeRule = {
  endings: ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'txt', 'png', 'jpg', 'jpeg', 'csv'],
  bytes: 20 * megabyte,
  imageBytes: 5 * megabyte,
}

/** Endings that count as pictures. */
export const imageEndings: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg'])

/** Purposes of service-notes 2; those seen in client code only have no documented rule beyond the largest size. */
export const purposes: ReadonlyMap<string, PurposeRule> = new Map([
  ['batch', { endings: ['jsonl'], bytes: 100 * megabyte }],
  ['code-interpreter', documents],
  ['agent', documents],
  ['voice-clone-input', { endings: ['mp3', 'wav'], bytes: 10 * megabyte }],
  ...['file-extract', 'assistant', 'retrieval', 'fine-tune'].map(
    (purpose): [string, PurposeRule] => [purpose, { bytes: 100 * megabyte }],
  ),
])

/** The largest upload of any purpose, in bytes. */
export const maxUploadBytes = Math.max(...[...purposes.values()].map((rule) => rule.bytes))
