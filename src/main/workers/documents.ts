import { createDocumentProgram } from '../documents/program.ts'
import type { DocumentAnswer, DocumentRequest } from '../documents/messages.ts'
import { serve } from './serve.ts'

// What the libraries print about a file is not the app's to say: what went wrong is in the answers.
for (const say of ['log', 'warn', 'error'] as const) console[say] = () => {}

// Of a damaged file pdf.js drops promises that fail: what was asked of it has its answer, and what others wait for must go on.
process.on('unhandledRejection', () => {})

const program = createDocumentProgram({ now: Date.now, openMs: 30_000 })

/** Looks at PDFs and pictures, takes them apart and draws their pages where it can hold up nobody. */
serve<DocumentRequest, DocumentAnswer>(program.answer, {
  memoryOf: (answer) => (answer.type === 'image' ? [answer.bytes.buffer] : []),
  end: program.close,
})
