const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** The id of a content: the first 130 bits of its SHA-256 (hex) in 26 characters of lower-case base32. */
export function contentId(sha256: string): string {
  let bits = BigInt(`0x${sha256}`) >> 126n
  let id = ''
  for (let n = 0; n < 26; n++) {
    id = (alphabet[Number(bits & 31n)] ?? '') + id
    bits >>= 5n
  }
  return id
}

/** What an id looks like; nothing else is ever looked up. */
export const contentIdPattern = /^[a-z2-7]{26}$/
