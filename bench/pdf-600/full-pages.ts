import type { SentBlock } from './layout-service.ts'

const blocksOfPage = 40

/**
 * Very full pages: some 4,000 characters in forty blocks, Chinese and English, with a table and a formula. Identical in every
 * run.
 */
export function fullPages(count: number): readonly (readonly SentBlock[])[] {
  let state = 11
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const syllables = 'an ber cor den el fin gra hol im jun kel lo mer nor or pel qua ren sol'.split(
    ' ',
  )
  const words = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + random(3) }, () => syllables[random(syllables.length)]).join(''),
  )
  const han = (): string => String.fromCodePoint(0x4e_00 + random(3000), 0x4e_00 + random(3000))
  const text = (letters: number): string => {
    const chinese = random(2) === 0
    let made = ''
    while (made.length < letters) made += chinese ? han() : `${words[random(words.length)] ?? ''} `
    return made.trim()
  }
  const table = (): string =>
    `<table>${Array.from({ length: 5 }, () => `<tr>${Array.from({ length: 4 }, () => `<td>${text(6)}</td>`).join('')}</tr>`).join('')}</table>`
  return Array.from({ length: count }, () =>
    Array.from({ length: blocksOfPage }, (_, place): SentBlock => {
      if (place === 10) return { label: 'table', content: table() }
      if (place === 20)
        return {
          label: 'formula',
          content: String.raw`\int_0^1 \frac{x^2}{1+x^2}\,dx = 1 - \frac{\pi}{4}`,
        }
      return { label: 'text', content: text(100) }
    }),
  )
}
