import { elementsNamed, elementsOf, localName, type XmlDocument, type XmlElement } from './zip.ts'

/** Counts the numbered paragraphs of a Word file, which contains no number as text. */
export interface ListLabels {
  /** Returns the label that Word shows before the next paragraph; null if it has none or a bullet. */
  next(paragraph: XmlElement): string | null
}

interface Level {
  readonly start: number
  readonly format: string
  /** Text with `%1` for the number of the first level, and so on. */
  readonly text: string
  readonly style: string | undefined
  /** Whether the numbers of all levels are decimal here. */
  readonly isLegal: boolean
}

interface List {
  /** Lists with the same definition continue each other. */
  readonly definition: string
  readonly levels: ReadonlyMap<number, Level>
  /** Levels at which this list starts again, and their first number. */
  readonly restarts: ReadonlyMap<number, number>
}

const child = (node: XmlElement | undefined, name: string): XmlElement | undefined =>
  node && elementsOf(node).find((one) => localName(one) === name)

const attribute = (node: XmlElement | undefined, name: string): string | undefined =>
  Object.entries(node?.attribs ?? {}).find(([key]) => key.slice(key.indexOf(':') + 1) === name)?.[1]

const valueOf = (node: XmlElement | undefined, name: string): string | undefined =>
  attribute(child(node, name), 'val')

const numberOf = (text: string | undefined, otherwise: number): number =>
  Number(/^\d{1,6}$/.exec(text ?? '')?.[0] ?? otherwise)

/** Returns the number of a level; Word has nine. */
const levelNumber = (text: string | undefined, otherwise = 0): number =>
  Number(/^[0-8]$/.exec(text ?? '')?.[0] ?? otherwise)

/** Maximum number of characters of the text of a label. */
const labelChars = 100

function levelOf(node: XmlElement): Level {
  const legal = child(node, 'isLgl')
  return {
    start: numberOf(valueOf(node, 'start'), 0),
    format: valueOf(node, 'numFmt') ?? 'decimal',
    text: (valueOf(node, 'lvlText') ?? '').slice(0, labelChars),
    style: valueOf(node, 'pStyle'),
    isLegal: legal !== undefined && !/^(?:0|false)$/.test(attribute(legal, 'val') ?? ''),
  }
}

const levelsOf = (node: XmlElement): ReadonlyMap<number, Level> =>
  new Map(
    elementsNamed(node, 'lvl').map((one) => [levelNumber(attribute(one, 'ilvl')), levelOf(one)]),
  )

/** Reads the definitions of lists, and the styles that number their paragraphs. */
export function listLabels(numbering: XmlDocument | null, styles: XmlDocument | null): ListLabels {
  const styleNodes = new Map(
    (styles ? elementsNamed(styles, 'style') : []).map((one) => [attribute(one, 'styleId'), one]),
  )
  const definitions = new Map(
    (numbering ? elementsNamed(numbering, 'abstractNum') : []).map((one) => [
      attribute(one, 'abstractNumId'),
      one,
    ]),
  )
  const nums = new Map(
    (numbering ? elementsNamed(numbering, 'num') : []).map((one) => [attribute(one, 'numId'), one]),
  )
  const lists = new Map<string, List | null>()

  function listOf(id: string, depth = 0): List | null {
    const num = nums.get(id)
    const definition = valueOf(num, 'abstractNumId')
    const node = definition === undefined ? undefined : definitions.get(definition)
    if (!num || definition === undefined || !node) return null
    const link = valueOf(node, 'numStyleLink')
    if (link !== undefined) {
      const target = valueOf(numberingOf(styleNodes.get(link)), 'numId')
      return target === undefined || depth > 8 ? null : listOf(target, depth + 1)
    }
    const restarts = new Map<number, number>()
    for (const override of elementsNamed(num, 'lvlOverride')) {
      const start = valueOf(override, 'startOverride')
      if (start !== undefined)
        restarts.set(levelNumber(attribute(override, 'ilvl')), numberOf(start, 1))
    }
    return { definition, levels: new Map([...levelsOf(node), ...levelsOf(num)]), restarts }
  }

  /** Returns the numbering of a style, or of one that it is based on. */
  function styleNumbering(id: string | undefined): XmlElement | undefined {
    let style = styleNodes.get(id)
    for (let depth = 0; style && depth < 20; depth++) {
      const found = numberingOf(style)
      if (found) return found
      const base = valueOf(style, 'basedOn')
      style = base === undefined ? undefined : styleNodes.get(base)
    }
    return undefined
  }

  const counts = new Map<string, number[]>()
  const started = new Set<string>()
  return {
    next(paragraph) {
      const own = numberingOf(paragraph)
      const style = valueOf(child(paragraph, 'pPr'), 'pStyle')
      const inherited = styleNumbering(style)
      const id = valueOf(own, 'numId') ?? valueOf(inherited, 'numId')
      if (id === undefined || id === '0') return null
      const list = lists.get(id) ?? listOf(id)
      lists.set(id, list)
      if (!list) return null
      const styled = [...list.levels].find(
        ([, level]) => style !== undefined && level.style === style,
      )
      const at = levelNumber(
        valueOf(own, 'ilvl'),
        styled?.[0] ?? levelNumber(valueOf(inherited, 'ilvl')),
      )
      const level = list.levels.get(at)
      if (!level || level.format === 'bullet') return null
      const numbers = counts.get(list.definition) ?? []
      counts.set(list.definition, numbers)
      const startOf = (one: number): number =>
        list.restarts.get(one) ?? list.levels.get(one)?.start ?? 1
      if (!started.has(id)) numbers.length = Math.min(numbers.length, ...list.restarts.keys())
      started.add(id)
      for (let one = 0; one < at; one++) numbers[one] ??= startOf(one)
      const last = numbers[at]
      numbers[at] = last === undefined ? startOf(at) : last + 1
      numbers.length = at + 1
      return level.text.replace(/%([1-9])/g, (_, digit: string) => {
        const one = Number(digit) - 1
        const format = level.isLegal ? 'decimal' : (list.levels.get(one)?.format ?? 'decimal')
        return listNumber(numbers[one] ?? startOf(one), format)
      })
    },
  }
}

const numberingOf = (node: XmlElement | undefined): XmlElement | undefined =>
  child(child(node, 'pPr'), 'numPr')

/** Returns a number as an item of a list shows it, in a format of Word. */
export function listNumber(value: number, format: string): string {
  switch (format) {
    case 'none':
      return ''
    case 'decimalZero':
      return String(value).padStart(2, '0')
    case 'lowerLetter':
      return letters(value)
    case 'upperLetter':
      return letters(value).toUpperCase()
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'upperRoman':
      return roman(value)
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'taiwaneseCountingThousand':
    case 'japaneseCounting':
      return chinese(value)
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x24_5f + value) : String(value)
    default:
      return String(value)
  }
}

/** After z, Word repeats the letter: aa, bb. */
const letters = (value: number): string =>
  value < 1 || value > 780
    ? String(value)
    : String.fromCodePoint(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26))

const romanSigns = 'M1000 CM900 D500 CD400 C100 XC90 L50 XL40 X10 IX9 V5 IV4 I1'.split(' ')

function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value)
  let rest = value
  return romanSigns
    .map((sign) => {
      const [letter = '', worth = ''] = sign.split(/(?<=\D)(?=\d)/)
      const times = Math.floor(rest / Number(worth))
      rest -= times * Number(worth)
      return letter.repeat(times)
    })
    .join('')
}

function chinese(value: number): string {
  if (value < 1 || value > 9_999) return String(value)
  const digits = [...String(value)].map(Number)
  return digits
    .map((digit, at) => {
      const place = ['', '十', '百', '千'][digits.length - 1 - at] ?? ''
      return digit === 0 ? '零' : `${'零一二三四五六七八九'[digit] ?? ''}${place}`
    })
    .join('')
    .replace(/零+/g, '零')
    .replace(/零$/, '')
    .replace(/^一十/, '十')
}
