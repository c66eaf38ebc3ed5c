/**
 * A mix of typical queries: common and rare Chinese words, single characters, whole and partial English words, two words at once,
 * and words without results.
 */
export const queries = [
  '时间',
  '会议',
  '芙蓉镇',
  '各种各样',
  '人工智能',
  '的',
  '鑫',
  '第3章',
  'AI时代',
  'meeting',
  'budget',
  'quarterly review',
  'perf',
  'th',
  'a',
  '时间 meeting',
  '会议 budget 预算',
  '"and the"',
  'zyzzyva',
  '麒麟阁',
] as const

/** Typed character by character: each prefix is a query, and some prefixes match a great many words. */
export const typed = ['the quarterly meeting', 'performance', 'and when', '人工智能 预算'] as const

/**
 * Generates texts of some 90 characters, two thirds Chinese. Words have natural frequencies (a few very common, a long tail) and
 * are drawn from a seeded generator: every run builds the same library.
 */
export function texts(): () => string {
  const random = generator(20260107)
  const pick = (words: readonly string[]): string => {
    // Zipf-like: the power favors the head of the list.
    const at = Math.floor(random() ** 3 * words.length)
    return words[at] ?? ''
  }
  const chinese = chineseWords(random)
  const english = englishWords(random)
  return () => {
    const parts: string[] = []
    let length = 0
    const mostlyChinese = random() < 0.65
    while (length < 90) {
      const useChinese = random() < (mostlyChinese ? 0.92 : 0.08)
      const word = useChinese ? pick(chinese) : ` ${pick(english)} `
      parts.push(random() < 0.08 ? `${word}${useChinese ? '，' : ','}` : word)
      // A Chinese character carries about as much information as two letters.
      length += useChinese ? word.length * 2 : word.length
    }
    return parts.join('').replace(/ +/g, ' ').trim()
  }
}

function chineseWords(random: () => number): readonly string[] {
  const common = Array.from('的了是在我有和人这中大来上个国到说们为子时要你就出会可也')
  const known = [
    '时间',
    '会议',
    '预算',
    '项目',
    '人工智能',
    'AI时代',
    '共产党',
    '各种各样',
    '第3章',
  ]
  const made = Array.from({ length: 30_000 }, () =>
    String.fromCodePoint(
      ...Array.from(
        { length: 2 + Math.floor(random() * 2.3) },
        () => 0x4e00 + Math.floor(random() ** 2 * 6000),
      ),
    ),
  )
  const rare = ['芙蓉镇', '鑫', '芙蓉']
  return [...common, ...known, ...made, ...rare]
}

function englishWords(random: () => number): readonly string[] {
  const common =
    'the of and to a in is it you that he was for on are with as his they at be this have from or one had by word but not what all were we when your can said there use an each which she do how their if will'.split(
      ' ',
    )
  const known =
    'meeting budget review quarterly performance function perfect period people project team time'.split(
      ' ',
    )
  const syllables =
    'an ber cor den el fin gra hol im jun kel lo mer nor or pel qua ren sol tem ul ver wil xen yor zan'.split(
      ' ',
    )
  const made = Array.from({ length: 20_000 }, () =>
    Array.from(
      { length: 2 + Math.floor(random() * 3) },
      () => syllables[Math.floor(random() * syllables.length)] ?? '',
    ).join(''),
  )
  return [...common, ...known, ...made]
}

/** A small seeded generator (mulberry32): numbers from 0 to 1. */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
