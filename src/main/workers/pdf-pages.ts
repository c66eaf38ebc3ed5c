import { countPdfPages } from '../platform/files/pdf-pages.ts'
import { serve } from '../platform/workers/serve-worker.ts'

// Counts the pages of PDFs one after the other, in a worker where parsing blocks nothing.
serve<string, number | null>(countPdfPages)
