import { sourceBoxes } from './places.ts'
import { imagesBySlice } from './chunk-images.ts'
import { nothing } from './sources-found.ts'
import type { Found } from './sources-found.ts'
import { countAt, fieldsOf, flagAt, listOf, opened, textAt } from './sources-values.ts'
import type { Fields } from './sources-values.ts'

/** Maximum number of documents in a response, and of slices in a document. */
const maxDocuments = 500
const maxSlices = 1000

/**
 * Returns the slices of a response with citation positions (service-notes 11): its `data`, or the whole response. Rows
 * with the same text are one slice.
 */
export function slicesIn(data: unknown): readonly Found[] {
  const reply = fieldsOf(opened(data)) ?? {}
  const inner = fieldsOf(opened(reply['data'])) ?? {}
  const documents = opened(reply['document_slices'] ?? inner['document_slices'])
  return listOf(documents).slice(0, maxDocuments).flatMap(slicesOfDocument)
}

function slicesOfDocument(value: unknown): readonly Found[] {
  const row = fieldsOf(value)
  if (!row) return []
  const about = fieldsOf(opened(row['document'])) ?? {}
  const hidden = flagAt(row, 'hide_positions')
  const images = imagesOf(opened(row['images']))
  const slices = new Map<string, Found>()
  const rows = listOf(opened(row['slice_info'])).slice(0, maxSlices)
  for (const [at, one] of rows.entries()) {
    const fields = fieldsOf(one)
    if (!fields) continue
    const slice = sliceOf(fields, about, hidden)
    // Without text, each row is a slice of its own.
    const key = slice.text === '' ? `#${at}` : `${slice.documentId}\n${slice.text}`
    const known = slices.get(key)
    slices.set(key, known ? { ...known, boxes: [...known.boxes, ...slice.boxes] } : slice)
  }
  const found = [...slices.values()]
  const own = imagesBySlice(
    found.map(({ text }) => text),
    images,
  )
  return found.map((slice, at) => ({ ...slice, images: own[at] ?? [] }))
}

function sliceOf(fields: Fields, about: Fields, hidden: boolean): Found {
  const sheet = textAt(fields, 'sheet_name') || null
  const line = countAt(fields, 'line')
  return {
    ...nothing,
    kind: sheet === null ? 'slice' : 'row',
    title: textAt(about, 'name'),
    text: textAt(fields, 'text'),
    link: textAt(about, 'url'),
    documentId: textAt(fields, 'document_id') || textAt(about, 'id'),
    boxes: hidden ? [] : sourceBoxes(opened(fields['position'])),
    counting: 'slice',
    sheet,
    // Nothing is reported about a hidden slice; line 0 of a text means none.
    line: hidden || (sheet === null && line === 0) ? null : line,
    hidden,
  }
}

function imagesOf(value: unknown): Found['images'] {
  return listOf(value)
    .slice(0, maxSlices)
    .flatMap((one) => {
      const fields = fieldsOf(one)
      const url = fields ? textAt(fields, 'cos_url', 'url') : ''
      return fields && url !== '' ? [{ text: textAt(fields, 'text'), url }] : []
    })
}
