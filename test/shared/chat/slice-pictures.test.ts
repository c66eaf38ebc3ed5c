import { expect, test } from 'vitest'
import { picturesBySlice } from '../../../src/shared/chat/slice-pictures.ts'

const picture = (text: string) => ({ text })

test('a picture belongs to the slices that name it; one that none names may belong to any', () => {
  const [first, second, free, unnamed] = ['【图_1】', '【图_2】', 'elsewhere', ''].map(picture)
  const all = [first, second, free, unnamed].flatMap((one) => one ?? [])
  expect(picturesBySlice(['As 【图_1】 shows', 'Both 【图_1】\n and 【图_2】', 'No'], all)).toEqual(
    [
      [first, free, unnamed],
      [first, second, free, unnamed],
      [free, unnamed],
    ],
  )
})
