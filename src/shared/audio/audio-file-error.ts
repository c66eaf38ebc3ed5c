import type { FileKind } from './kind.ts'

/** Why a file cannot be taken as sound; `reason` names the part of a wav file that is missing or wrong. */
export type AudioFileProblem =
  | { readonly type: 'empty' }
  | { readonly type: 'unsupported'; readonly kind: FileKind }
  | { readonly type: 'damaged'; readonly kind: 'wav' | 'mp3'; readonly reason?: string }

/** A file that is no whole wav or mp3 file. */
export class AudioFileError extends Error {
  readonly trouble: AudioFileProblem

  constructor(trouble: AudioFileProblem, message: string) {
    super(message)
    this.name = 'AudioFileError'
    this.trouble = trouble
  }
}
