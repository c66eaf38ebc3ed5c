/** Returns one block of the large file, which consists of equal blocks of one binary megabyte. */
export function largeBlock(): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(1024 * 1024)
  for (let at = 0; at < block.length; at++) block[at] = (at * 31 + (at >> 8)) & 255
  return block
}

/** SHA-256 of a file, by its number of blocks. */
export const largeHashes = {
  32: '74d7da637465e432fce7ec657c74e32dc903cd03a29f21da257e6ea44b74a002',
  500: 'e7fd3e3444ec665e5306893e293edb11926fe69af9c0f5c511f2e2b60aae3a0d',
} as const
