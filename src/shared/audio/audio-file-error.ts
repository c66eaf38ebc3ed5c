import type { FileKind } from './kind.ts'

/** Reason why a file cannot be used as audio; `reason` names the missing or invalid part of a WAV file. */
type AudioFileProblem =
  | { readonly type: 'empty' }
  | { readonly type: 'unsupported'; readonly kind: FileKind }
  | { readonly type: 'damaged'; readonly kind: 'wav' | 'mp3'; readonly reason?: string }

/** Error for a file that is not a complete WAV or MP3 file. */
export class AudioFileError extends Error {
  readonly trouble: AudioFileProblem

  constructor(trouble: AudioFileProblem, message: string) {
    super(message)
    this.name = 'AudioFileError'
    this.trouble = trouble
  }
}
