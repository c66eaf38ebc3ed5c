/** Maximum nesting of any call. */
const deepest = 32

/**
 * Whether these bytes are one complete MessagePack value with a decoding cost proportional to its size: at most {@link
 * deepest} levels, and every claimed entry present. A decoder allocates what is claimed before it checks, so 200 bytes can
 * make it allocate gigabytes. Extensions are refused: no call has one.
 */
export function isWellFormedPack(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  /** Values still expected, by level; the outermost first. */
  const awaited = [1]
  let at = 0
  try {
    while (awaited.length > 0) {
      const here = awaited.length - 1
      const left = awaited[here] ?? 0
      if (left === 0) {
        awaited.pop()
        continue
      }
      awaited[here] = left - 1
      const value = read(view, at)
      if (value === null) return false
      at += value.bytes
      if (at + value.inner > view.byteLength) return false
      if (value.inner === 0) continue
      if (awaited.length > deepest) return false
      awaited.push(value.inner)
    }
  } catch {
    // The bytes ended within a header.
    return false
  }
  return at === view.byteLength
}

/**
 * Own bytes of a value, and how many values it contains (including a map's keys); null for types that no call uses.
 */
interface Extent {
  readonly bytes: number
  readonly inner: number
}

const flat = (bytes: number): Extent => ({ bytes, inner: 0 })

/** Parses the header at an offset; throws a RangeError if it is incomplete. */
function read(view: DataView, at: number): Extent | null {
  const head = view.getUint8(at)
  if (head < 0x80 || head >= 0xe0) return flat(1)
  if (head < 0x90) return { bytes: 1, inner: (head & 0x0f) * 2 }
  if (head < 0xa0) return { bytes: 1, inner: head & 0x0f }
  if (head < 0xc0) return flat(1 + (head & 0x1f))
  switch (head) {
    case 0xc0: // nil
    case 0xc2: // false
    case 0xc3: // true
      return flat(1)
    case 0xc4: // bytes
    case 0xd9: // text
      return flat(2 + view.getUint8(at + 1))
    case 0xc5:
    case 0xda:
      return flat(3 + view.getUint16(at + 1))
    case 0xc6:
    case 0xdb:
      return flat(5 + view.getUint32(at + 1))
    case 0xcc: // numbers, by width
    case 0xd0:
      return flat(2)
    case 0xcd:
    case 0xd1:
      return flat(3)
    case 0xca:
    case 0xce:
    case 0xd2:
      return flat(5)
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return flat(9)
    case 0xdc: // list
      return { bytes: 3, inner: view.getUint16(at + 1) }
    case 0xdd:
      return { bytes: 5, inner: view.getUint32(at + 1) }
    case 0xde: // map
      return { bytes: 3, inner: view.getUint16(at + 1) * 2 }
    case 0xdf:
      return { bytes: 5, inner: view.getUint32(at + 1) * 2 }
    default: // extensions, and unused codes
      return null
  }
}
