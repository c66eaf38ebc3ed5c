/** Characters of an image in which its size is searched: profiles and previews precede it. */
const headChars = 400_000

/**
 * Number of pixels of a Base64-encoded PNG or JPEG, from its header. Null for anything else, whatever its address claims:
 * browsers use the bytes.
 */
export function writtenPixels(base64: string): number | null {
  const head = base64.replaceAll(/\s/g, '').slice(0, headChars)
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = Uint8Array.from(atob(head), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
  const view = new DataView(bytes.buffer)
  try {
    return view.getUint16(0) === 0xffd8 ? jpegPixels(view) : pngPixels(view)
  } catch {
    // The data ends within the header.
    return null
  }
}

const pngPixels = (view: DataView): number | null =>
  view.getUint32(0) === 0x89504e47 &&
  view.getUint32(4) === 0x0d0a1a0a &&
  view.getUint32(12) === 0x49484452
    ? view.getUint32(16) * view.getUint32(20)
    : null

/** Walks from segment to segment to the frame header. Rejects any data between two, since decoders skip it differently. */
function jpegPixels(view: DataView): number | null {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint8(at + 1) === 0xff) at += 1
    const marker = view.getUint8(at + 1)
    if (marker === 0xda || (marker & 0xf8) === 0xd0 || marker < 0xc0) return null
    const isFrame = (marker & 0xf0) === 0xc0 && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return view.getUint16(at + 5) * view.getUint16(at + 7)
  }
  return null
}
