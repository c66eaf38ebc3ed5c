import { kindOf, type FileKind } from '../../../shared/audio/kind.ts'

/** Number of bytes at the start of a file that suffice to detect its type. */
export const sniffBytes = 4096

/** MIME types by kind. Other kinds are generic files: they can be stored and downloaded, but not shown. */
const mimes: Partial<Record<FileKind, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'video/webm',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  avif: 'image/avif',
  heic: 'image/heic',
  json: 'application/json',
}

/**
 * Returns the MIME type of a file, detected from its first bytes ({@link sniffBytes}) and its size, never from its name.
 */
export function sniff(head: Buffer, bytes: number): string {
  const kind = kindOf(head.subarray(0, 64), bytes)
  const text = head.toString('latin1')
  // EBML is also Matroska: only the document type identifies WebM. A track codec `V_…` near the start means video.
  if (kind === 'webm') {
    if (!text.includes('webm')) return 'application/octet-stream'
    return /V_(VP8|VP9|AV1)/.test(text) ? 'video/webm' : 'audio/webm'
  }
  if (kind === 'ogg' && text.includes('theora')) return 'video/ogg'
  if (kind === 'png' && !text.startsWith('\x89PNG\r\n\x1a\n')) return 'application/octet-stream'
  // PDF parsers search for its mark within the first kilobyte: mail programs and printers put lines before it.
  if (kind === 'unknown' && text.slice(0, 1024).includes('%PDF-')) return 'application/pdf'
  return mimes[kind] ?? 'application/octet-stream'
}

/** Whether a page may show the type in place: audio, video and images. Anything else is downloaded. */
export const isShownInline = (mime: string): boolean => /^(audio|video|image)\//.test(mime)
