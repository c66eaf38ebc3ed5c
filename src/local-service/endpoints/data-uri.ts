import { createGrowingBytes } from './growable-buffer.ts'

/** Parsed value of a file field. */
export type FileValue =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'url' }
  /** Text that is neither a link nor a data URI. */
  | { readonly kind: 'bare' }
  /** A data URI with an invalid header or invalid Base64. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'too-large' }

/** Decodes the text of a file field while it is received. */
export interface DataUriReader {
  /** Adds more characters, one byte each. */
  push(text: string): void
  end(): FileValue
}

/** Maximum length of a data URI header; real ones have about 30 characters. */
const maxHeader = 256

const headerForm = /^data:[\w.+-]*\/?[\w.+-]*(;[\w.+-]+=[^;,]*)*;base64$/i

/** Decodes `data:<mime>;base64,...` into at most `mostBytes` bytes (service-notes 12). */
export function createDataUriReader(maxBytes: number): DataUriReader {
  const bytes = createGrowingBytes(maxBytes + 3)
  let header = ''
  let inBody = false
  let trouble: Exclude<FileValue['kind'], 'bytes'> | undefined
  /** Characters that do not form a complete group of four yet. */
  let rest = ''
  let padded = false

  const write = (text: string): void => {
    const maxLength = Math.ceil((text.length / 4) * 3)
    const target = bytes.room(maxLength)
    if (!target) {
      trouble ??= 'too-large'
      return
    }
    bytes.shorten(maxLength - target.write(text, 'base64'))
  }

  const body = (text: string): void => {
    const plain = text.replace(/\s+/g, '')
    if (plain === '') return
    const valid = padded ? /^=*$/ : /^[A-Za-z0-9+/]*={0,2}$/
    if (!valid.test(plain)) trouble ??= 'damaged'
    if (trouble) return
    padded ||= plain.endsWith('=')
    const all = rest + plain
    const whole = all.length - (all.length % 4)
    rest = all.slice(whole)
    if (whole > 0) write(all.slice(0, whole))
  }

  const classify = (): void => {
    if (/^https?:\/\//i.test(header)) trouble = 'url'
    else if (!/^data:/i.test(header)) trouble = 'bare'
  }

  return {
    push(text) {
      if (trouble) return
      if (inBody) return body(text)
      const comma = text.indexOf(',')
      header += comma < 0 ? text : text.slice(0, comma)
      // Eight characters are enough to distinguish a link from a data URI.
      if (header.length >= 8 || comma >= 0) classify()
      if (trouble) return
      if (header.length > maxHeader) trouble = 'damaged'
      if (comma < 0 || trouble) return
      if (!headerForm.test(header)) trouble = 'damaged'
      inBody = true
      body(text.slice(comma + 1))
    },
    end() {
      if (!trouble && !inBody) {
        classify()
        trouble ??= 'damaged'
      }
      if (!trouble && (rest.length === 1 || (padded && rest !== ''))) trouble = 'damaged'
      if (!trouble && rest !== '') write(rest)
      if (!trouble && bytes.length > maxBytes) trouble = 'too-large'
      return trouble ? { kind: trouble } : { kind: 'bytes', bytes: bytes.take() }
    },
  }
}
