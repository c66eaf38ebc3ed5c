import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { removal } from '../../../../../../system/file-moves.ts'

/** Thrown when a file would exceed its maximum size. */
export class PartTooLarge extends Error {}

/** Whether a file could not be written because the disk or the quota is full. */
export const noRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** A PDF that is written sequentially, object by object. */
export interface PdfFile {
  /** Bytes so far. */
  readonly bytes: number
  /** Begins the object with this number; subsequent writes belong to it. */
  begin(number: number): void
  /** Writes characters as bytes of their codes; throws {@link PartTooLarge}. */
  text(text: string): void
  raw(bytes: Uint8Array): void
  end(): void
  /** Writes the cross-reference table and closes the file. */
  finish(root: number): void
  /** Closes and deletes the file. */
  abandon(): void
}

/** Number of characters buffered before a write. */
const gathered = 128 * 1024

/** Begins a PDF of at most `maxBytes`. */
export function beginPdf(path: string, maxBytes: number): PdfFile {
  const file = openSync(path, 'w')
  const offsets: (number | undefined)[] = []
  let bytes = 0
  let texts: string[] = []
  let waiting = 0

  function flush(): void {
    if (waiting > 0) writeAll(file, Buffer.from(texts.join(''), 'latin1'))
    texts = []
    waiting = 0
  }

  function grow(by: number): void {
    bytes += by
    if (bytes > maxBytes) throw new PartTooLarge(`More than ${maxBytes} bytes`)
  }

  function text(value: string): void {
    grow(value.length)
    texts.push(value)
    waiting += value.length
    if (waiting > gathered) flush()
  }

  // The second line marks the file as binary for programs that transfer files.
  text('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')

  return {
    get bytes() {
      return bytes
    },
    begin(number) {
      offsets[number] = bytes
      text(`${number} 0 obj\n`)
    },
    text,
    raw(value) {
      grow(value.length)
      flush()
      writeAll(file, value)
    },
    end: () => text('\nendobj\n'),
    finish(root) {
      const start = bytes
      text(`xref\n0 ${offsets.length}\n0000000000 65535 f \n`)
      for (let i = 1; i < offsets.length; i++) {
        const at = offsets[i]
        text(
          at === undefined ? '0000000000 65535 f \n' : `${String(at).padStart(10, '0')} 00000 n \n`,
        )
      }
      text(`trailer\n<</Size ${offsets.length}/Root ${root} 0 R>>\nstartxref\n${start}\n%%EOF\n`)
      flush()
      closeSync(file)
    },
    abandon() {
      closeSync(file)
      rmSync(path, removal)
    },
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
