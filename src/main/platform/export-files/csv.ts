import { csvText } from '../../../shared/text/csv.ts'
import { cleanText } from './clean.ts'

/** Returns a field that stays text, without characters that text cannot contain. */
export const csvField = (text: string): string => csvText(cleanText(text))
