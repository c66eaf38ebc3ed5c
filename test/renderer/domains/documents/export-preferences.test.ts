import { expect, test } from 'vitest'
import {
  documentFormats,
  readPreferences,
  writePreferences,
} from '../../../../src/renderer/src/domains/documents/export/document-export-preferences.ts'
import { documents } from '../../../../src/shared/contract/documents.ts'

/** Storage with one text. */
function memory(text: string | null = null) {
  let stored = text
  return { getItem: () => stored, setItem: (_: string, value: string) => void (stored = value) }
}

test('remembers export settings of documents, and resets broken ones', () => {
  const first = readPreferences(memory())
  const store = memory()
  const chosen = {
    format: 'csv',
    images: false,
    repeat: true,
    pageMarks: true,
    highlights: false,
    details: true,
    dpi: 150,
    margin: 0.05,
  } as const
  writePreferences(store, chosen)
  expect(readPreferences(store)).toEqual(chosen)
  expect(readPreferences(memory('{"format":"exe","images":"yes","dpi":7}'))).toEqual(first)
  for (const text of ['{', 'null', '[]', '"x"'])
    expect(readPreferences(memory(text))).toEqual(first)
  // What a dialog changes is its own.
  readPreferences(memory('{')).format = 'json'
  expect(readPreferences(memory('{')).format).toBe('md')
})

test('offers every format that main writes', () => {
  const { format } = documents.export.request.shape
  expect([...documentFormats].toSorted()).toEqual([...format.options].toSorted())
})
