import { createDocumentProgram } from '../domains/documents/worker/program.ts'
import type { DocumentAnswer, DocumentRequest } from '../domains/documents/worker/messages.ts'
import { serve } from '../platform/workers/serve-worker.ts'

// Output of the libraries about a file is suppressed: errors are reported in the responses.
for (const say of ['log', 'warn', 'error'] as const) console[say] = () => {}

// pdf.js drops rejected promises for a damaged file: that request has its response, and others must continue.
process.on('unhandledRejection', () => {})

const program = createDocumentProgram({ now: Date.now, openMs: 30_000 })

/** Reads PDFs and images, extracts their content and renders their pages without blocking others. */
serve<DocumentRequest, DocumentAnswer>(program.answer, {
  memoryOf: (answer) => (answer.type === 'image' ? [answer.bytes.buffer] : []),
  end: program.close,
})
