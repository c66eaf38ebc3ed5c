import { kindOf, type FileKind } from '../../shared/audio/kind.ts'

/** Bytes of a file's start that are enough to tell what it is. */
export const sniffBytes = 4096

/** What is not in this table is a file like any other: it can be kept and given back, not shown. */
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

/** The MIME type of a file, told from its first bytes ({@link sniffBytes}) and its size, never from its name. */
export function sniff(head: Buffer, bytes: number): string {
  const kind = kindOf(head.subarray(0, 64), bytes)
  const text = head.toString('latin1')
  // EBML is Matroska's too: only the document type says WebM. A track codec `V_…` near the start means pictures.
  if (kind === 'webm') {
    if (!text.includes('webm')) return 'application/octet-stream'
    return /V_(VP8|VP9|AV1)/.test(text) ? 'video/webm' : 'audio/webm'
  }
  if (kind === 'ogg' && text.includes('theora')) return 'video/ogg'
  if (kind === 'png' && !text.startsWith('\x89PNG\r\n\x1a\n')) return 'application/octet-stream'
  // Readers of PDF look for its mark within the first kilobyte: mail programs and printers put lines before it.
  if (kind === 'unknown' && text.slice(0, 1024).includes('%PDF-')) return 'application/pdf'
  return mimes[kind] ?? 'application/octet-stream'
}

/** True for what a page may show in place: sound, moving and still pictures. Anything else leaves as a download. */
export const isShownInline = (mime: string): boolean => /^(audio|video|image)\//.test(mime)
