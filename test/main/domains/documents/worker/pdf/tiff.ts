import { deflateSync } from 'node:zlib'

/** A page of a test TIFF: its samples as stored before compression. */
export interface TiffPage {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly samples: number
  readonly photometric: number
  /** Rows of samples; each row begins at a byte boundary. */
  readonly data: Uint8Array
  readonly compression?: 1 | 8 | 32773
  readonly rowsPerStrip?: number
  /** Additional tags, of type SHORT. */
  readonly more?: Readonly<Record<number, number | readonly number[]>>
  /** Horizontal and vertical dots per inch. */
  readonly dpi?: readonly [number, number]
}

/** Encodes bytes as PackBits, using literal runs only. */
function packBits(data: Uint8Array): Buffer {
  const out: Buffer[] = []
  for (let at = 0; at < data.length;) {
    let run = 1
    while (run < 128 && data[at + run] === data[at] && at + run < data.length) run += 1
    if (run > 2) {
      out.push(Buffer.from([257 - run, data[at] ?? 0]))
      at += run
    } else {
      const chunk = data.subarray(at, Math.min(data.length, at + 5))
      out.push(Buffer.from([chunk.length - 1, ...chunk]))
      at += chunk.length
    }
  }
  return Buffer.concat(out)
}

const packers = {
  1: (data: Uint8Array): Buffer => Buffer.from(data),
  8: (data: Uint8Array): Buffer => deflateSync(data),
  32773: packBits,
} as const

/** Returns the bytes of a TIFF; `MM` is big-endian. */
export function tiffOf(pages: readonly TiffPage[], order: 'II' | 'MM' = 'II'): Buffer {
  const little = order === 'II'
  const short = (value: number): Buffer => {
    const bytes = Buffer.alloc(2)
    if (little) bytes.writeUInt16LE(value)
    else bytes.writeUInt16BE(value)
    return bytes
  }
  const long = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    if (little) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  const chunks: Buffer[] = [Buffer.from(order), short(42), long(0)]
  let size = 8
  const put = (bytes: Buffer): number => {
    const at = size
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
    chunks.push(padded)
    size += padded.length
    return at
  }
  /** Position at which the offset of the next directory is written. */
  let link = 2
  for (const page of pages) {
    const { width, height, bits, samples, photometric, compression = 1, more = {} } = page
    const rowBytes = page.data.length / height
    const rows = page.rowsPerStrip ?? height
    const offsets: number[] = []
    const counts: number[] = []
    for (let y = 0; y < height; y += rows) {
      const strip = page.data.subarray(y * rowBytes, Math.min(height, y + rows) * rowBytes)
      const packed = packers[compression](strip)
      offsets.push(put(packed))
      counts.push(packed.length)
    }
    const fields = new Map<number, readonly [type: number, values: readonly number[]]>([
      [256, [4, [width]]],
      [257, [4, [height]]],
      [258, [3, Array.from({ length: samples }, () => bits)]],
      [259, [3, [compression]]],
      [262, [3, [photometric]]],
      [273, [4, offsets]],
      [277, [3, [samples]]],
      [278, [4, [rows]]],
      [279, [4, counts]],
    ])
    if (page.dpi) {
      fields.set(282, [5, [page.dpi[0], 1]])
      fields.set(283, [5, [page.dpi[1], 1]])
    }
    for (const [tag, value] of Object.entries(more))
      fields.set(Number(tag), [3, typeof value === 'number' ? [value] : value])
    const entries = Array.from(fields)
      .toSorted(([one], [other]) => one - other)
      .map(([tag, [type, values]]) => {
        const held = Buffer.concat(values.map((value) => (type === 3 ? short(value) : long(value))))
        const count = type === 5 ? values.length / 2 : values.length
        const inside =
          held.length <= 4 ? Buffer.concat([held, Buffer.alloc(4 - held.length)]) : long(put(held))
        return Buffer.concat([short(tag), short(type), long(count), inside])
      })
    const at = put(Buffer.concat([short(entries.length), ...entries, long(0)]))
    chunks[link] = long(at)
    // The last four bytes of the directory become a separate part that the next page fills.
    const directory = chunks.pop() ?? Buffer.alloc(0)
    chunks.push(directory.subarray(0, 2 + 12 * entries.length), long(0))
    link = chunks.length - 1
    size = at + 6 + 12 * entries.length
    if (size % 2 === 1) put(Buffer.alloc(1))
  }
  return Buffer.concat(chunks)
}

/** Rows of bits with runs of all lengths, 1 is black: every third row equals the one above except for a few dots. */
export function faxRows(width: number, height: number, seed: number): Buffer {
  const rowBytes = Math.ceil(width / 8)
  const rows = Buffer.alloc(rowBytes * height)
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const flip = (y: number, x: number): void => {
    const at = y * rowBytes + (x >> 3)
    rows[at] = (rows[at] ?? 0) ^ (0x80 >> (x & 7))
  }
  for (let y = 0; y < height; y++) {
    if (y % 3 === 1) {
      rows.copyWithin(y * rowBytes, (y - 1) * rowBytes, y * rowBytes)
      for (let k = 0; k < 5; k++) flip(y, random(width))
      continue
    }
    let black = random(2) === 1
    for (let x = 0; x < width; black = !black) {
      const end = Math.min(width, x + 1 + random([20, 20, 300, 2600][random(4)] ?? 1))
      for (; x < end; x++) if (black) flip(y, x)
    }
  }
  return rows
}
