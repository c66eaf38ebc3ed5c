import { expect, test } from 'vitest'
import { imagesBySlice } from '../../../src/shared/chats/chunk-images.ts'

const imageOf = (text: string) => ({ text })

test('assigns an image to the chunks that reference it, or to any if none does', () => {
  const [first, second, free, unnamed] = ['【图_1】', '【图_2】', 'elsewhere', ''].map(imageOf)
  const all = [first, second, free, unnamed].flatMap((one) => one ?? [])
  expect(imagesBySlice(['As 【图_1】 shows', 'Both 【图_1】\n and 【图_2】', 'No'], all)).toEqual([
    [first, free, unnamed],
    [first, second, free, unnamed],
    [free, unnamed],
  ])
})
