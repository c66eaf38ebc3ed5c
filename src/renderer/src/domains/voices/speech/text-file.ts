import { maxText } from '../../../../../shared/voices/split.ts'

/** Maximum size of a text in bytes. */
const maxBytes = maxText * 4

/** The text of a dropped file: UTF-8, or UTF-16 with its byte order mark; null if it is not text, or too long. */
export async function textOfFile(file: Blob): Promise<string | null> {
  if (file.size > maxBytes) return null
  const bytes = new Uint8Array(await file.arrayBuffer())
  const [first, second] = bytes
  const wide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const label = !wide ? 'utf-8' : first === 0xff ? 'utf-16le' : 'utf-16be'
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
    return text.includes('\0') ? null : text.slice(0, maxText)
  } catch {
    // Older Chinese files: anything that is not valid in this encoding either is not text.
    return gb18030(bytes)
  }
}

function gb18030(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('gb18030', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text.slice(0, maxText)
  } catch {
    return null
  }
}
