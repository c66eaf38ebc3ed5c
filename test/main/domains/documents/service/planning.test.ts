import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fingerprintOf,
  shrunk,
  without,
} from '../../../../../src/main/domains/documents/service/planning.ts'
import { pagesIn, rangesOf } from '../../../../../src/shared/documents/ranges.ts'
import { presets } from '../../../../../src/shared/provider/profiles.ts'

const options = { pages: '1-3', crops: false, layoutPictures: false }
const account = (baseUrl: string) =>
  ({ preset: 'custom', profile: { ...presets.bigmodel, baseUrl } }) as const

test('subtracting page ranges leaves exactly the remaining pages', () => {
  const pages = fc.uniqueArray(fc.integer({ min: 1, max: 60 }))
  fc.assert(
    fc.property(pages, pages, (requested, taken) => {
      const gone = new Set(taken)
      const left = requested.filter((page) => !gone.has(page)).toSorted((a, b) => a - b)
      expect(Array.from(pagesIn(without(rangesOf(requested), rangesOf(taken))))).toEqual(left)
    }),
  )
})

test('a fingerprint covers host, model and options, but not the account and pages', () => {
  const one = fingerprintOf(account('https://a.example/api'), options)
  expect(fingerprintOf(account('https://a.example/api'), { ...options, pages: '9' })).toBe(one)
  expect(fingerprintOf(account('https://b.example/api'), options)).not.toBe(one)
  expect(fingerprintOf(account('https://a.example/api'), { ...options, crops: true })).not.toBe(one)
  const local = { ...account('http://127.0.0.1:4000'), preset: 'local' } as const
  const moved = { ...account('http://127.0.0.1:5000'), preset: 'local' } as const
  expect(fingerprintOf(local, options)).toBe(fingerprintOf(moved, options))
})

test('a plan reports that an image over the account’s limit is sent smaller', () => {
  const one = account('https://a.example/api')
  const parts = [{ first: 1, last: 1 }]
  const megabyte = 1024 * 1024
  const large = { mime: 'image/jpeg', bytes: 14 * megabyte } as const
  expect(shrunk(large, parts, one)).toEqual({ bytes: 10 * megabyte, shrunkTo: 10 * megabyte })
  expect(shrunk({ ...large, bytes: 10 * megabyte }, parts, one)).toBeUndefined()
  // Its only page is already parsed: none of it is sent.
  expect(shrunk(large, [], one)).toBeUndefined()
  expect(shrunk({ ...large, mime: 'application/pdf' }, parts, one)).toBeUndefined()
  const limits = { 'layout.imageBytes': 20 * megabyte }
  const wider = { ...one, profile: { ...one.profile, limits } }
  expect(shrunk(large, parts, wider)).toBeUndefined()
})
