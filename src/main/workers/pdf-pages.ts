import { countPdfPages } from '../media/pdf-pages.ts'
import { serve } from './serve.ts'

// Counts the pages of PDFs one after the other, in a worker where parsing blocks nothing.
serve<string, number | null>(countPdfPages)
