import type { SummaryTemplate } from '../../../../shared/model/meeting.ts'

/** Finds the section of a heading: by its title in any spelling, or else by its number; -1 for none. */
export type SectionFinder = (heading: string) => number

export function sectionFinder(sections: SummaryTemplate['sections']): SectionFinder {
  const titles = sections.map(({ title }) => plain(title))
  return (heading) => {
    const name = plain(heading)
    const byName = titles.findIndex((title) => title !== '' && title === name)
    if (byName >= 0) return byName
    // A translated title still has its number.
    const number = Number(/^\s*(\d{1,2})\s*[.)、:：]/.exec(heading)?.[1] ?? 0)
    return number >= 1 && number <= sections.length ? number - 1 : -1
  }
}

/** A heading in a row of an answer: `## Title`, `**Title**`, `Title:`; null for any other row. `marked`: definitely a heading. */
export function headingIn(row: string): { readonly text: string; readonly marked: boolean } | null {
  const hashes = /^#{1,6}\s*(\S.*?)\s*#*$/.exec(row)
  if (hashes) return { text: hashes[1] ?? '', marked: true }
  const strong = /^(?:\d{1,2}[.)、]\s*)?(\*\*|__)(.{1,120}?)\1\s*[:：]?$/.exec(row)
  if (strong) return { text: row.replaceAll(/\*\*|__/g, ''), marked: true }
  if (/^[^-*•].{0,80}$/.test(row)) return { text: row, marked: false }
  return null
}

/** Letters and digits only, lower case, without a leading number. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/^\s*[#*_\s]*\d{1,2}\s*[.)、:]\s*/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
