/** Names of files that Lectern takes in end with one of these; what a file really is, its first bytes tell. */
export const importable = {
  document: ['pdf'],
  image: ['png', 'jpg', 'jpeg', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'avif', 'heic', 'heif'],
  audio: ['wav', 'mp3', 'm4a', 'ogg', 'oga', 'opus', 'webm', 'flac', 'mp4', 'mov'],
  /** Transcripts and conversations that Lectern exported. */
  own: ['json'],
} as const
