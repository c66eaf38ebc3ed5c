import { expect, test } from 'vitest'
import {
  blockAt,
  fractionAbove,
  heightAt,
} from '../../../../src/renderer/src/domains/documents/same-height.ts'
import type { Block, Box } from '../../../../src/shared/model/document.ts'

const block = (id: string, box: Box | null): Block => ({
  id,
  page: 1,
  order: 0,
  kind: 'text',
  label: 'text',
  nativeLabel: null,
  content: id,
  edited: null,
  box,
  raw: null,
  guessed: false,
})
const blocks = [
  block('without', null),
  block('head', [0.1, 0.1, 0.9, 0.2]),
  block('text', [0.1, 0.3, 0.9, 0.7]),
]

test('finds the block at a height, and none at the bottom of the page', () => {
  expect(blockAt(blocks, 0)?.id).toBe('head')
  expect(blockAt(blocks, 0.15)?.id).toBe('head')
  expect(blockAt(blocks, 0.25)?.id).toBe('text')
  expect(blockAt(blocks, 0.8)).toBeUndefined()
})

test('converts between a height and the fraction of a block above it', () => {
  const [none, , text] = blocks
  if (!none || !text) throw new Error('no blocks')
  expect(fractionAbove(text, 0.4)).toBeCloseTo(0.25)
  expect(heightAt(text, 0.25)).toBeCloseTo(0.4)
  expect(fractionAbove(text, 0.1)).toBe(0)
  expect(fractionAbove(text, 0.9)).toBe(1)
  expect([fractionAbove(none, 0.5), heightAt(none, 0.5), heightAt(undefined, 1)]).toEqual([0, 0, 0])
})
