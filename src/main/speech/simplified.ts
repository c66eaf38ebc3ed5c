import pairs from 'opencc-js/dict/TSCharacters'

const simple = new Map(
  pairs.split('|').map((pair) => {
    const [traditional = '', ...forms] = pair.split(' ')
    return [traditional, forms[0] ?? traditional]
  }),
)

/** Traditional characters as Simplified ones, one by one: which of several forms is meant does not matter where texts are compared. */
export function simplified(text: string): string {
  let made = ''
  for (const sign of text) made += simple.get(sign) ?? sign
  return made
}
