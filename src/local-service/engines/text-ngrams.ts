import { textUnits, pushPairs } from '../../shared/text/cut.ts'
import { fold } from '../../shared/text/fold.ts'
import { isCommon } from '../../shared/text/common-words.ts'
import { unit } from './text-vectors.ts'

/** Arbitrary; another value results in an incompatible vector space. */
const seed = 0x4c65_6374

/** Function words weigh a fifth of content words; single characters weigh less than character pairs. */
const commonWeight = 0.2
const characterWeight = 0.4
/**
 * The n-grams of a word together weigh one: endings vary, and the whole word is less informative than its stem.
 */
const wholeWordWeight = 0.5
const shortest = 3
const longest = 5

/**
 * Returns the weighted features of a text: character pairs and characters for scripts without spaces, otherwise words
 * and their n-grams.
 */
export function ngrams(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (feature: string, weight: number): void => {
    counts.set(feature, (counts.get(feature) ?? 0) + weight)
  }
  for (const part of textUnits(fold(text))) {
    if (part.kind === 'run') addRun(part.text, add)
    else addWord(part.text, add)
  }
  // A text of symbols alone, or an empty one, is a single feature: the text itself.
  if (counts.size === 0) add(`text ${text.trim()}`, 1)
  for (const [feature, weight] of counts) counts.set(feature, dampened(weight))
  return counts
}

/** Dampens repetition: the tenth occurrence adds little to the first. */
const dampened = (weight: number): number => (weight <= 1 ? weight : 1 + Math.log(weight))

type Add = (feature: string, weight: number) => void

function addRun(run: string, add: Add): void {
  const pairs: string[] = []
  pushPairs(pairs, run, false)
  for (const pair of pairs) add(`pair ${pair}`, isCommon(pair, false) ? commonWeight : 1)
  for (const char of run)
    add(`char ${char}`, characterWeight * (isCommon(char, false) ? commonWeight : 1))
}

function addWord(word: string, add: Add): void {
  const weight = isCommon(word, false) ? commonWeight : 1
  add(`word ${word}`, weight * wholeWordWeight)
  const chars = Array.from(` ${word} `)
  const grams: string[] = []
  for (let size = shortest; size <= longest; size += 1)
    for (let at = 0; at + size <= chars.length; at += 1)
      grams.push(chars.slice(at, at + size).join(''))
  for (const gram of grams) add(`gram ${gram}`, weight / Math.sqrt(grams.length))
}

/** FNV-1a with Murmur's finalizer, so that every bit depends on every character. */
function hash(text: string): number {
  let value = 0x811c_9dc5 ^ seed
  for (let i = 0; i < text.length; i += 1)
    value = Math.imul(value ^ text.charCodeAt(i), 0x0100_0193)
  value = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2_ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/**
 * Returns a text as a unit vector of hashed n-grams: each adds its weight with a sign to one position, so that
 * collisions cancel out on average and inner products are preserved.
 */
export function ngramVector(text: string, dimensions: number): Float32Array<ArrayBuffer> {
  const vector = new Float32Array(dimensions)
  for (const [feature, weight] of ngrams(text)) {
    const value = hash(feature)
    const place = (value & 0x7fff_ffff) % dimensions
    vector[place] = (vector[place] ?? 0) + (value >>> 31 === 1 ? -weight : weight)
  }
  // Two features at one position with opposite signs can cancel out; then one position represents the text.
  if (vector.every((value) => value === 0)) vector[hash(text) % dimensions] = 1
  return unit(vector)
}

/** Returns the exact cosine (0 to 1) of the n-grams of two texts, without hash collisions. */
export function ngramCosine(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  let product = 0
  for (const [feature, weight] of small) product += weight * (large.get(feature) ?? 0)
  const length = (of: ReadonlyMap<string, number>): number => {
    let sum = 0
    for (const weight of of.values()) sum += weight * weight
    return Math.sqrt(sum)
  }
  return product === 0 ? 0 : product / (length(a) * length(b))
}
