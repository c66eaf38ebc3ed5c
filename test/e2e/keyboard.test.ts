import { expect, test } from 'vitest'
import { switchAccount } from '../journeys/accounts.ts'
import { askDocument, readPdf } from '../journeys/documents.ts'
import { exportItems, search } from '../journeys/library.ts'
import { measure } from '../journeys/measure.ts'
import { speakText } from '../journeys/voices.ts'

// `npm run journeys -- --keyboard` does this with all of them.
test.each([readPdf, askDocument, search, speakText, exportItems, switchAccount])(
  'the journey “$name” needs no mouse, and always shows the focus',
  async (journey) => {
    const parts = await measure(journey, { keyboardOnly: true })
    for (const { effort } of parts) expect(effort.clicks).toBe(0)
  },
)
