import { expect, test } from 'vitest'
import type { AnswerStep } from '../../../src/shared/chats/answer-step.ts'
import { sourcesOf } from '../../../src/shared/chats/sources.ts'

const found = (...values: readonly unknown[]): AnswerStep => ({
  kind: 'call',
  callId: '1',
  tool: 'knowledge_retrieval',
  arguments: null,
  result: { value: values, status: 'success' },
  textAt: 0,
  startedAt: 0,
  endedAt: 1,
  durationMs: null,
})
const sources = (steps: readonly AnswerStep[], slices: readonly unknown[] = []) =>
  sourcesOf({
    text: 'It is so.<reference data-ref="1"></reference>',
    steps,
    slices: slices.map((data) => ({ requestId: 'r', nodeId: 'n', at: 0, data })),
  })
const odd = [NaN, Infinity, -1, -1e9, 1e9, 1e308, 0.5, '1e999', 'NaN', '', null, {}, [], true]

test('ignores invalid pages, rows and positions, and keeps the valid rest', () => {
  for (const one of odd)
    for (const other of odd) {
      const position = {
        page: one,
        x0: other,
        x1: one,
        top: other,
        bottom: one,
        width: one,
        height: other,
      }
      const passage = {
        text: 'Words',
        score: one,
        ref: one,
        position,
        line: one,
        sheet_name: 'S',
        page_index: other,
      }
      const slice = {
        document_slices: [
          {
            document: { id: 'd' },
            slice_info: [{ text: 'Words', line: other, position: [position, position] }],
          },
        ],
      }
      for (const { number, score, place } of sources([found(passage)], [slice])) {
        const named = JSON.stringify([one, other])
        expect(Number.isSafeInteger(number) && number >= 0, named).toBe(true)
        expect(score === null || Number.isFinite(score), named).toBe(true)
        expect(
          place.line === null ||
            (Number.isInteger(place.line) && place.line >= 0 && place.line < 1e9),
          named,
        ).toBe(true)
        for (const { page, box } of place.boxes) {
          expect(Number.isSafeInteger(page) && page >= 0 && page < 1e6, named).toBe(true)
          if (box === null) continue
          const [left, top, right, bottom] = box
          expect(
            box.every((edge) => edge >= 0 && edge <= 1),
            named,
          ).toBe(true)
          expect(left < right && top < bottom, named).toBe(true)
        }
      }
    }
})

test('limits a billion rectangles, and truncates endless names and URLs', () => {
  const long = 'x'.repeat(2_000_000)
  const many = Array.from({ length: 200_000 }, (_, at) => ({
    page: at % 7,
    x0: 0,
    x1: 1,
    top: 0,
    bottom: 1,
  }))
  const [one] = sources([
    found({
      text: 'Words',
      doc_name: long,
      link: `https://e.example/${long}`,
      sheet_name: long,
      positions: many,
    }),
  ])
  expect(one?.place.boxes.length).toBeLessThanOrEqual(500)
  expect([one?.title.length, one?.place.sheet?.length, one?.link]).toEqual([1001, 1001, ''])
})

test('ignores property names of the prototype', () => {
  const value: unknown = JSON.parse(
    '{"__proto__":{"text":"Forged","score":1},"constructor":{"text":"Forged"},"text":"Words","score":1}',
  )
  expect(sources([found(value)]).map(({ text }) => text)).toEqual(['Words'])
  expect(Object.prototype).not.toHaveProperty('text')
})
