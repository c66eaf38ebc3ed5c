/** Limits of uploads for one purpose: file extensions and bytes. */
interface PurposeRule {
  /** Undefined means any. */
  readonly endings?: readonly string[]
  readonly bytes: number
  /** A stricter limit for images. */
  readonly imageBytes?: number
}

const megabyte = 1024 * 1024

const documents: PurposeRule = {
  endings: ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'txt', 'png', 'jpg', 'jpeg', 'csv'],
  bytes: 20 * megabyte,
  imageBytes: 5 * megabyte,
}

/** File extensions of images. */
export const imageEndings: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg'])

/**
 * Purposes of service-notes 2; those found only in client code have no documented rule other than the maximum size.
 */
export const purposes: ReadonlyMap<string, PurposeRule> = new Map([
  ['batch', { endings: ['jsonl'], bytes: 100 * megabyte }],
  ['code-interpreter', documents],
  ['agent', documents],
  ['voice-clone-input', { endings: ['mp3', 'wav'], bytes: 10 * megabyte }],
  ...['file-extract', 'assistant', 'retrieval', 'fine-tune'].map(
    (purpose): [string, PurposeRule] => [purpose, { bytes: 100 * megabyte }],
  ),
])

/** Maximum upload size of any purpose, in bytes. */
export const maxUploadBytes = Math.max(...[...purposes.values()].map((rule) => rule.bytes))
