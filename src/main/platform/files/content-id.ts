const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Returns the ID of a content: the first 130 bits of its SHA-256 (hex) as 26 characters of lowercase base32. */
export function contentId(sha256: string): string {
  let bits = BigInt(`0x${sha256}`) >> 126n
  let id = ''
  for (let n = 0; n < 26; n++) {
    id = (alphabet[Number(bits & 31n)] ?? '') + id
    bits >>= 5n
  }
  return id
}

/** Format of an ID; other values are never looked up. */
export const contentIdPattern = /^[a-z2-7]{26}$/
