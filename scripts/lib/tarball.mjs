import { gunzipSync } from 'node:zlib'

const block = 512

/** A header field up to its first NUL. */
const field = (
  /** @type {Buffer} */ header,
  /** @type {number} */ from,
  /** @type {number} */ length,
) => {
  const bytes = header.subarray(from, from + length)
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end < 0 ? length : end).toString('utf8')
}

/** The `path` record of a PAX header, for names longer than the old fields allow. */
function paxPath(/** @type {Buffer} */ body) {
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at)
    const length = Number(body.subarray(at, space).toString('latin1'))
    if (space < 0 || !(length > 0)) return ''
    const record = body.subarray(space + 1, at + length - 1).toString('utf8')
    if (record.startsWith('path=')) return record.slice('path='.length)
    at += length
  }
  return ''
}

/**
 * Reads the requested files of a gzipped tar archive into memory (ustar, with PAX names).
 * @param {Buffer} archive
 * @param {(name: string) => boolean} wanted
 * @returns {Map<string, Buffer>}
 */
export function readTarball(archive, wanted) {
  const tar = gunzipSync(archive)
  /** @type {Map<string, Buffer>} */
  const files = new Map()
  let longName = ''
  for (let at = 0; at + block <= tar.length;) {
    const header = tar.subarray(at, at + block)
    if (header[0] === 0) break
    const size = Number.parseInt(field(header, 124, 12).trim() || '0', 8)
    if (!Number.isSafeInteger(size) || at + block + size > tar.length)
      throw new Error('The archive is damaged')
    const type = field(header, 156, 1) || '0'
    const body = tar.subarray(at + block, at + block + size)
    at += block + Math.ceil(size / block) * block
    if (type === 'x') {
      longName = paxPath(body)
      continue
    }
    const prefix = field(header, 345, 155)
    const name = longName || (prefix ? `${prefix}/${field(header, 0, 100)}` : field(header, 0, 100))
    if (type === '0' && wanted(name)) files.set(name, Buffer.from(body))
    if (type !== 'g') longName = ''
  }
  return files
}
