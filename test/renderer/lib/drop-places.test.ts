import { expect, test } from 'vitest'
import { kindOfType, useDropPlaces } from '../../../src/renderer/src/lib/drop-places.ts'
import { rendererSetup } from '../stores.ts'

test('tells what dragged files are by their type, as far as the browser knows it', () => {
  const kinds = [
    ['audio/mpeg', 'recording'],
    ['video/mp4', 'recording'],
    ['image/png', 'image'],
    ['application/pdf', 'document'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
    ['text/markdown', 'document'],
    ['application/json', 'exported'],
    ['application/zip', 'other'],
    ['', 'unknown'],
  ] as const
  for (const [mime, kind] of kinds) expect([mime, kindOfType(mime)]).toEqual([mime, kind])
})

test('gives files to the page opened last that is for any of them, and others to the Library', () => {
  const { run } = rendererSetup()
  const places = run(useDropPlaces)
  const place = (name: string, ...kinds: readonly string[]) => ({
    label: () => name,
    accepts: (kind: string) => kinds.includes(kind),
    drop: () => undefined,
  })
  const base = place('base', 'document')
  const chat = place('chat', 'document', 'image')
  places.add(base)
  places.add(chat)
  expect(places.placeFor(['document', 'recording'])?.label()).toBe('chat')
  expect(places.placeFor(['recording'])).toBeNull()
  expect(places.placeFor([])).toBeNull()
  places.remove(chat)
  expect(places.placeFor(['document'])?.label()).toBe('base')
  expect(places.placeFor(['image'])).toBeNull()
})
