/** Search class of a character: a break, part of a word, or part of a run in a script without spaces. */
export const charClass = { break: 0, word: 1, run: 2 } as const

const wordPattern = /[\p{L}\p{N}\p{M}]/u
const runScripts =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u
const extender = /[\p{M}\uff9e\uff9f\u1160-\u11ff\u200d]/u
const invisible = /\p{Cf}/u
const stripsMarks = /[\p{sc=Latn}\p{sc=Grek}]/u

const classes = new Map<number, number>()

/**
 * Returns the class of a folded character. Digits and letters are words; Han, Kana, Hangul, Bopomofo, Thai and its neighbors
 * are runs.
 */
export function classOf(codePoint: number): number {
  if (codePoint < 0x80) {
    const alphanumeric =
      (codePoint >= 97 && codePoint <= 122) || (codePoint >= 48 && codePoint <= 57)
    return alphanumeric ? charClass.word : charClass.break
  }
  if (isPlainRun(codePoint)) return charClass.run
  const known = classes.get(codePoint)
  if (known !== undefined) return known
  const char = String.fromCodePoint(codePoint)
  const made = !wordPattern.test(char)
    ? charClass.break
    : runScripts.test(char)
      ? charClass.run
      : charClass.word
  classes.set(codePoint, made)
  return made
}

/**
 * Returns whether a unit belongs to a run that folding does not change: most Chinese, Japanese and Korean text, which
 * bypasses the slow path.
 */
function isPlainRun(unit: number): boolean {
  return (
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0xac00 && unit <= 0xd7a3)
  )
}

const isPlain = (unit: number): boolean =>
  unit < 0x80 || isPlainRun(unit) || (unit >= 0x3001 && unit <= 0x3029)

/** Folded text with the original offset of each of its UTF-16 units. */
export interface Folded {
  readonly text: string
  /** Original offsets (start and exclusive end) by folded unit. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/**
 * Returns text as search compares it: compatibility forms (full width, half-width kana, ligatures) normalized, case and the
 * diacritics of Latin and Greek removed.
 */
export function fold(text: string): string {
  let folded = ''
  walk(text, (part) => {
    folded += part
  })
  return folded
}

/** {@link fold} with a mapping to the original text. */
export function foldWithOffsets(text: string): Folded {
  let folded = ''
  let starts = new Uint32Array(text.length + 64)
  let ends = new Uint32Array(text.length + 64)
  walk(text, (part, start, end, plain) => {
    const length = folded.length
    if (length + part.length > starts.length) {
      starts = grown(starts, length + part.length)
      ends = grown(ends, length + part.length)
    }
    for (let i = 0; i < part.length; i++) {
      starts[length + i] = plain ? start + i : start
      ends[length + i] = plain ? start + i + 1 : end
    }
    folded += part
  })
  return { text: folded, starts, ends }
}

function grown(from: Uint32Array<ArrayBuffer>, minLength: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(minLength, from.length * 2))
  larger.set(from)
  return larger
}

/** Calls `emit` with each folded piece and its original range; a plain piece maps unit by unit. */
function walk(
  text: string,
  emit: (part: string, start: number, end: number, plain: boolean) => void,
): void {
  let at = 0
  while (at < text.length) {
    const end = plainEnd(text, at)
    if (end > at) {
      emit(text.slice(at, end).toLowerCase(), at, end, true)
      at = end
      continue
    }
    const next = clusterEnd(text, at)
    emit(foldCluster(text.slice(at, next)), at, next, false)
    at = next
  }
}

/**
 * Returns the end of the plain range at `start`: characters that folding does not change except for ASCII case, without a
 * combining character after the last.
 */
function plainEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && isPlain(text.charCodeAt(at))) at += 1
  if (at === text.length || at === start || text.charCodeAt(at) < 0x300) return at
  return at - 1
}

/**
 * Returns the end of a character including everything that combines with it: marks, half-width voicing, Hangul vowels and
 * finals.
 */
function clusterEnd(text: string, start: number): number {
  let end = start + charLength(text, start)
  while (end < text.length && text.charCodeAt(end) >= 0x300) {
    const char = String.fromCodePoint(text.codePointAt(end) ?? 0)
    if (!extender.test(char)) break
    end += char.length
  }
  return end
}

const charLength = (text: string, at: number): number =>
  (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1

const clusters = new Map<string, string>()

function foldCluster(cluster: string): string {
  const known = clusters.get(cluster)
  if (known !== undefined) return known
  const plain = cluster.normalize('NFKC')
  const bare = stripsMarks.test(plain) ? plain.normalize('NFD') : plain
  const made = Array.from(bare.replace(/[\u0300-\u036f]/g, ''))
    .filter((char) => !invisible.test(char))
    // Upper then lower case, one character at a time: maps both sigmas and both forms of s to the same letter.
    .map((char) => char.toUpperCase().toLowerCase())
    .join('')
    .normalize('NFC')
  // A language has few clusters; text crafted to fill the memory is not cached.
  if (clusters.size < 20_000 && cluster.length <= 8) clusters.set(cluster, made)
  return made
}
