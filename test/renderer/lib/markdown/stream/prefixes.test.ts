import { expect, test } from 'vitest'
import { assembler, whole } from './assembled.ts'
import { longTexts } from './long-texts.ts'

const small = { container: 60, max: Infinity }

test.each(longTexts)('renders every prefix of $name as if it were complete', ({ text }) => {
  for (const limits of [undefined, small]) {
    const stream = assembler(limits)
    for (let at = 0; at < text.length; at++) {
      stream.push(text.charAt(at))
      if (stream.html() !== whole(text.slice(0, at + 1), false))
        expect([text.slice(0, at + 1), stream.html()]).toEqual([
          text.slice(0, at + 1),
          whole(text.slice(0, at + 1), false),
        ])
    }
    stream.end()
    expect(stream.html()).toBe(whole(text, true))
  }
})
