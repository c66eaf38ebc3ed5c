import { localDay } from '../../../../../shared/text/local-time.ts'

/** Metadata of a file of synthetic speech. */
export interface SpeechTags {
  readonly title: string
  /** Name of the voice. */
  readonly voice: string
  /** Text that marks the speech as synthetic. */
  readonly mark: string
  /** Program that created the file. */
  readonly software: string
  /** Unix milliseconds. */
  readonly at: number
}

/** ID3 has times in UTC; a date in a WAV file is read as written. */
const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Builds a LIST INFO chunk for a WAV file, UTF-8 as most programs write it: title, artist, comment, genre, date, software. */
export function infoChunk(tags: SpeechTags): Uint8Array<ArrayBuffer> {
  const fields: readonly (readonly [string, string])[] = [
    ['INAM', tags.title],
    ['IART', tags.voice],
    ['ICMT', tags.mark],
    ['IGNR', 'Synthetic speech'],
    ['ICRD', localDay(tags.at)],
    ['ISFT', tags.software],
  ]
  const parts = fields.map(([id, text]) => {
    const bytes = Buffer.from(`${text}\0`, 'utf8')
    const head = Buffer.alloc(8)
    head.write(id, 0, 'latin1')
    head.writeUInt32LE(bytes.length, 4)
    return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)])
  })
  const body = Buffer.concat([Buffer.from('INFO', 'latin1'), ...parts])
  const head = Buffer.alloc(8)
  head.write('LIST', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Uint8Array.from(Buffer.concat([head, body]))
}

/** Builds an ID3v2.4 tag for the beginning of an MP3 file: the same facts, UTF-8. */
export function id3Tag(tags: SpeechTags): Uint8Array<ArrayBuffer> {
  const text = (id: string, value: string): Buffer =>
    frame(id, Buffer.from(`\u0003${value}`, 'utf8'))
  const frames = Buffer.concat([
    text('TIT2', tags.title),
    text('TPE1', tags.voice),
    text('TCON', 'Synthetic speech'),
    text('TDRC', utcDay(tags.at)),
    text('TSSE', tags.software),
    // Encoding, language, an empty short description, the text.
    frame('COMM', Buffer.from(`\u0003eng\0${tags.mark}`, 'utf8')),
    frame('TXXX', Buffer.from('\u0003synthetic-speech\u0000true', 'utf8')),
  ])
  const head = Buffer.concat([Buffer.from('ID3\x04\x00\x00', 'latin1'), syncSafe(frames.length)])
  return Uint8Array.from(Buffer.concat([head, frames]))
}

const frame = (id: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id, 'latin1'), syncSafe(body.length), Buffer.alloc(2), body])

/** Encodes seven bits per byte, so that no size resembles the beginning of audio. */
const syncSafe = (size: number): Buffer =>
  Buffer.from([(size >> 21) & 0x7f, (size >> 14) & 0x7f, (size >> 7) & 0x7f, size & 0x7f])
