import { textEndings } from './documents/text-formats.ts'

/** File extensions that Lectern imports; the actual type is detected from the first bytes. */
export const importable = {
  document: ['pdf'],
  /** Office files, books and texts. */
  text: textEndings,
  image: ['png', 'jpg', 'jpeg', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'avif', 'heic', 'heif'],
  audio: ['wav', 'mp3', 'm4a', 'ogg', 'oga', 'opus', 'webm', 'flac', 'mp4', 'mov'],
  /** Transcripts and chats exported by Lectern. */
  own: ['json'],
} as const
