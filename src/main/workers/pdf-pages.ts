import { countPdfPages } from '../media/pdf-pages.ts'
import { serve } from './serve.ts'

// Counts the pages of one PDF after the other: what a file says of itself is read where it can hold up nobody.
serve<string, number | null>(countPdfPages)
