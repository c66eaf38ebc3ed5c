import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assembler, whole } from './assembled.ts'

/** Fragments of lines with a meaning in Markdown, alone or combined. */
const fragments = [
  'a', 'word ', ' ', '  ', '    ', '\t', '\n', '\n', '\n\n', '- ', '* ', '+ ', '1. ', '2) ', '> ', '>', '#', '# ', '## h',
  '---', '===', '***', '```', '```js', '~~~', '`', '| ', '|', '--|--', '|---|---|', 'a | b', '$', '$$', '\\(', '\\)', '\\[', '\\]',
  '[a]', '[a]: /u', '[b]: <x> "t"', '"t"', '[a][b]', '![p](q)', '<div>', '</div>', '<b>', '<!--', '-->', '<pre>', '</pre>', '<x-y>',
  '**', '_', '~~', '\\', '中文', '。', '<reference data-ref="1"></reference>', '<reference data-ref="2"/>', '<ref', '- [ ] ', '  - ', '   ',
  '\r\n', '&amp;', 'https://a.example/b', '-', '=', '+', ':',
] // prettier-ignore
const text = fc
  .array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 60 })
  .map((parts) => parts.join(''))
const chunkLength = fc.integer({ min: 1, max: 7 })

test.each([
  { limits: { container: 12, max: Infinity }, seed: 20261122 },
  { limits: { container: 2000, max: Infinity }, seed: 7 },
  { limits: { container: 0, max: Infinity }, seed: 99 },
])('renders streamed text as if it had been received at once ($seed)', ({ limits, seed }) => {
  fc.assert(
    fc.property(text, chunkLength, (source, length) => {
      const stream = assembler(limits)
      for (let at = 0; at < source.length; at += length) {
        stream.push(source.slice(at, at + length))
        expect(stream.html()).toBe(whole(source.slice(0, at + length), false))
      }
      stream.end()
      expect(stream.html()).toBe(whole(source, true))
    }),
    { seed, numRuns: 300 },
  )
})
