import { elementsNamed, type Relations, type XmlDocument, type ZipFiles } from './zip.ts'

/** Returns the text of a number in a format; undefined if it is that of the number itself. */
export type ValueFormat = (value: number) => string | undefined

/** Formats that every program knows by number and no file describes; East Asian ones of dates are in ranges. */
const knownFormats: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
}

const knownFormat = (id: number): string => {
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
  return knownFormats[id] ?? (isDate ? 'yyyy-mm-dd' : 'General')
}

/** Returns the formats of a workbook by the style of a cell. */
export function valueFormats(
  zip: ZipFiles,
  relations: Relations,
  workbook: XmlDocument,
): readonly ValueFormat[] {
  const [properties] = elementsNamed(workbook, 'workbookPr')
  const is1904 = /^(?:1|true)$/.test(properties?.attribs['date1904'] ?? '')
  const path = [...relations.values()].find(({ type }) => type.endsWith('/styles'))?.path
  const styles = path === undefined ? null : zip.xml(path)
  if (!styles) return []
  const codes = new Map(
    elementsNamed(styles, 'numFmt').map(({ attribs }) => [
      Number(attribs['numFmtId']),
      attribs['formatCode'] ?? '',
    ]),
  )
  return elementsNamed(styles, 'cellXfs')
    .flatMap((all) => elementsNamed(all, 'xf'))
    .map(({ attribs }) => {
      const id = Number(attribs['numFmtId'] ?? 0)
      return formatOf(codes.get(id) ?? knownFormat(id), is1904)
    })
}

function formatOf(code: string, is1904: boolean): ValueFormat {
  // Without the formats of negative numbers and texts, and without literal text.
  const signs = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .split(';', 1)
    .join('')
  const elapsed = /\[(h+|m+|s+)\](.*)/i.exec(signs)
  if (elapsed)
    return (value) => elapsedText(value, elapsed[1]?.[0] ?? '', /s/i.test(elapsed[2] ?? ''))
  const plain = signs.replace(/\[[^\]]*\]/g, '')
  if (/General/i.test(plain)) return () => undefined
  if (/[ymdhs]/i.test(plain)) return (value) => dateText(value, /[yd]/i.test(plain), is1904)
  if (plain.includes('%')) return (value) => `${Number((value * 100).toPrecision(15))}%`
  if (/^0{2,}$/.test(plain))
    return (value) =>
      `${value < 0 ? '-' : ''}${String(Math.round(Math.abs(value))).padStart(plain.length, '0')}`
  return () => undefined
}

const daySeconds = 86_400

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns a number of days as hours, minutes or seconds: the first of its units is not limited. */
function elapsedText(days: number, unit: string, hasSeconds: boolean): string {
  const total = Math.round(Math.abs(days) * daySeconds)
  const sign = days < 0 && total > 0 ? '-' : ''
  const seconds = hasSeconds ? `:${twoDigits(total % 60)}` : ''
  const minutes = Math.floor(total / 60)
  switch (unit.toLowerCase()) {
    case 'h':
      return `${sign}${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}${seconds}`
    case 'm':
      return `${sign}${minutes}${seconds}`
    default:
      return `${sign}${total}`
  }
}

/** Returns a date in ISO form, without the time if there is none, or a time without a date. */
function dateText(value: number, hasDate: boolean, is1904: boolean): string | undefined {
  if (value < 0) return undefined
  // Days count from the end of 1899, and Excel has a 29 February 1900 that did not exist.
  const day = is1904 ? value + 1462 : value < 60 ? value + 1 : value
  const date = new Date(Math.round((day - 25_569) * daySeconds) * 1000)
  if (Number.isNaN(date.getTime())) return undefined
  const iso = date.toISOString()
  const time = iso.slice(11, 19).replace(/:00$/, '')
  if (value < 1 && !(hasDate && is1904)) return time
  return date.getTime() % (daySeconds * 1000) === 0
    ? iso.slice(0, 10)
    : `${iso.slice(0, 10)} ${time}`
}
