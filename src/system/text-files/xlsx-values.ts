import { elementsNamed, type Relations, type XmlDocument, type ZipFiles } from './zip.ts'

/** Returns the text of a number in a format; undefined if it is that of the number itself. */
export type ValueFormat = (value: number) => string | undefined

/**
 * Formats that every program knows by number and no file describes; East Asian ones of dates are in ranges. The currency of
 * those from 5 on depends on the country.
 */
const knownFormats: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '#,##0',
  6: '#,##0',
  7: '#,##0.00',
  8: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  41: '#,##0',
  42: '#,##0',
  43: '#,##0.00',
  44: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
  48: '0.0E+0',
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
  // Styles are many, and a workbook uses few of them.
  const formats = new Map<string, ValueFormat>()
  return elementsNamed(styles, 'cellXfs')
    .flatMap((all) => elementsNamed(all, 'xf'))
    .map(({ attribs }) => {
      const id = Number(attribs['numFmtId'] ?? 0)
      const code = codes.get(id) ?? knownFormat(id)
      return (value) => {
        const format = formats.get(code) ?? formatOf(code, is1904)
        formats.set(code, format)
        return format(value)
      }
    })
}

/** Parts of a format: quoted text, single characters of text, and what is in brackets. */
const formatParts = /"([^"]*)"?|\\(.)|_.|\*.|\[([^\]]*)\]|[^]/gsu

/** A part of a format for negative or other numbers: the signs in it, and its text in place of `\0`. */
interface FormatSection {
  readonly signs: string
  readonly texts: readonly string[]
  /** What is in brackets: a condition, a unit of elapsed time, a color, a language. */
  readonly brackets: readonly string[]
}

function sectionsOf(code: string): readonly FormatSection[] {
  const sections: { signs: string; texts: string[]; brackets: string[] }[] = []
  let section = { signs: '', texts: [] as string[], brackets: [] as string[] }
  const add = (text: string): void => {
    section.signs += '\0'
    section.texts.push(text)
  }
  for (const [part, quoted, escaped, bracket] of code.matchAll(formatParts)) {
    if (part === ';') {
      sections.push(section)
      section = { signs: '', texts: [], brackets: [] }
    } else if (bracket !== undefined) {
      const currency = /^\$([^-]+)/.exec(bracket)?.[1]
      if (currency === undefined) section.brackets.push(bracket)
      else add(currency)
    } else if (quoted !== undefined || escaped !== undefined) add(quoted ?? escaped ?? '')
    else if (/^[_*]./su.test(part)) add(part.startsWith('_') ? ' ' : '')
    else section.signs += part
  }
  return [...sections, section]
}

function formatOf(code: string, is1904: boolean): ValueFormat {
  const sections = sectionsOf(code)
  const [first] = sections
  if (!first) return () => undefined
  const elapsed = first.brackets.find((one) => /^(?:h+|m+|s+)$/i.test(one))
  if (elapsed !== undefined) return (value) => elapsedText(value, elapsed, /s/i.test(first.signs))
  if (/[ymdhs]/i.test(first.signs.replace(/General/gi, ''))) {
    const written = writtenDate(first)
    return (value) => {
      const text = dateText(value, /[yd]/i.test(first.signs), is1904)
      return written && text !== undefined && /^[\d-]{10}$/.test(text) ? written(text) : text
    }
  }
  // Other conditions than those of negative numbers and zero are rare.
  if (sections.some(({ brackets }) => brackets.some((one) => /^[<>=]/.test(one))))
    return () => undefined
  const [positive, negative, zero] = sections.map(numberFormat)
  const [, below] = sections
  // Red alone says that a number is negative, and is not shown here.
  const hasSign = below && /[-(−–△▲▼]/u.test(below.signs + below.texts.join(''))
  return (value) => {
    if (value === 0 && zero) return zero(value)
    if (value < 0 && negative) {
      const text = negative(-value)
      return hasSign || text === undefined || !/[1-9]/.test(text) ? text : `-${text}`
    }
    const text = positive?.(Math.abs(value))
    return value < 0 && text !== undefined && /[1-9]/.test(text) ? `-${text}` : text
  }
}

/** Integer digits, decimals, a comma for each three digits that are left out, and exponent of a number format. */
const numberSigns = /^([^#?0.,E]*)([#?0,]*)(?:\.([#?0]*))?(,*)(E[+-]?(0+))?([^#?0.,E]*)$/i

/** Returns the format of numbers that are not negative; undefined for fractions and other formats. */
function numberFormat({ signs, texts }: FormatSection): ValueFormat | undefined {
  let at = 0
  const filled = (part: string): string => part.replaceAll('\0', () => texts[at++] ?? '')
  const found = numberSigns.exec(signs.replace(/General/i, '#'))
  if (!found) return undefined
  const [, before = '', digits = '', decimals = '', commas = '', exponent, power = '', after = ''] =
    found
  if (digits === '' && decimals === '') return undefined
  const [start, end] = [filled(before), filled(after)]
  const shown = (number: string): string => `${start}${number}${end}`.replace(/\s+/g, ' ').trim()
  if (/General/i.test(signs)) return (value) => shown(String(Number(value.toPrecision(15))))
  const percent = 100 ** (signs.split('%').length - 1)
  const thousands = 1000 ** (/,*$/.exec(digits + commas)?.[0].length ?? 0)
  const fraction = {
    minimumFractionDigits: Math.min(20, decimals.split('0').length - 1),
    maximumFractionDigits: Math.min(20, decimals.length),
  }
  if (exponent !== undefined)
    return (value) => {
      const [mantissa = '', exp = '0'] = value
        .toExponential(fraction.maximumFractionDigits)
        .split('e')
      const sign = Number(exp) < 0 ? '-' : exponent.includes('+') ? '+' : ''
      return shown(`${mantissa}E${sign}${exp.slice(1).padStart(power.length, '0')}`)
    }
  const zeros = digits.split('0').length - 1
  const numbers = new Intl.NumberFormat('en-US', {
    ...fraction,
    useGrouping: /,[#?0]/.test(digits),
    minimumIntegerDigits: Math.min(21, Math.max(1, zeros)),
  })
  return (value) => {
    // Percents have the noise of binary fractions otherwise.
    const scaled = Number(((value * percent) / thousands).toPrecision(15))
    const text = numbers.format(scaled)
    const number = zeros === 0 ? text.replace(/^0(?=\.|$)/, '') : text
    const result = shown(number)
    return result === '' ? undefined : result
  }
}

/**
 * Returns how a format writes an ISO date without a time that contains the name of the month or Chinese units; null for other
 * orders of day and month, which differ by country.
 */
function writtenDate({ signs, texts, brackets }: FormatSection): ((iso: string) => string) | null {
  const isChinese = /[年月]/u.test(signs + texts.join(''))
  const isEnglish = !brackets.some((one) => one.startsWith('$-') && !/^\$-[\da-f]*09$/i.test(one))
  // Years of an era, and other letters than those of year, month and day.
  if (/[a-z]/i.test(signs.replace(/[ymd]/gi, ''))) return null
  if (!(isChinese || (isEnglish && /mmm/i.test(signs)))) return null
  return (iso) => {
    const date = new Date(`${iso}T00:00:00Z`)
    const named = (part: Intl.DateTimeFormatOptions): string =>
      date.toLocaleDateString(isChinese ? 'zh-CN' : 'en-US', { ...part, timeZone: 'UTC' })
    let at = 0
    return signs.replace(/y+|m+|d+|\0/gi, (sign) => {
      if (sign === '\0') return texts[at++] ?? ''
      const [year = '', month = '', day = ''] = iso.split('-')
      const form = sign.length > 3 ? 'long' : 'short'
      switch (sign[0]?.toLowerCase()) {
        case 'y':
          return sign.length > 2 ? year : year.slice(2)
        case 'm':
          if (sign.length > 2) return named({ month: form })
          return sign.length > 1 ? month : String(Number(month))
        default:
          if (sign.length > 2) return named({ weekday: form })
          return sign.length > 1 ? day : String(Number(day))
      }
    })
  }
}

const daySeconds = 86_400

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns a number of days as hours, minutes or seconds: the first of its units is not limited. */
function elapsedText(days: number, unit: string, hasSeconds: boolean): string {
  const total = Math.round(Math.abs(days) * daySeconds)
  const sign = days < 0 && total > 0 ? '-' : ''
  const seconds = hasSeconds ? `:${twoDigits(total % 60)}` : ''
  const minutes = Math.floor(total / 60)
  const first = (value: number): string => sign + String(value).padStart(unit.length, '0')
  switch (unit[0]?.toLowerCase()) {
    case 'h':
      return `${first(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}${seconds}`
    case 'm':
      return `${first(minutes)}${seconds}`
    default:
      return first(total)
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
