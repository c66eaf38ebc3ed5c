import { strFromU8 } from 'fflate'
import { sectionOf, sectionsOf, TextFileProblem, type Section, type TextBlock } from './blocks.ts'
import { htmlBlocks } from './html.ts'
import { elementsNamed, resolvePath, type XmlElement, type ZipFiles } from './zip.ts'

/** Characters above which a chapter is divided at its headings. */
const chapterChars = 60_000

/**
 * Reads the chapters of an EPUB in reading order; its table of contents is not one. Throws {@link TextFileProblem}: `protected`
 * for a book with copy protection.
 */
export function* readEpub(zip: ZipFiles): Generator<Section> {
  const container = zip.xml('META-INF/container.xml')
  const root = container ? elementsNamed(container, 'rootfile')[0]?.attribs['full-path'] : undefined
  const book = root === undefined ? null : zip.xml(resolvePath('', root))
  if (root === undefined || !book)
    throw new TextFileProblem('damaged', 'The archive contains no book')
  const items = new Map(
    elementsNamed(book, 'item').map(({ attribs }) => [attribs['id'] ?? '', attribs]),
  )
  const encrypted = encryptedPaths(zip)
  const titles = tableOfContents(zip, root, [...items.values()])
  const read = new Set<string>()
  for (const entry of elementsNamed(book, 'itemref')) {
    const item = items.get(entry.attribs['idref'] ?? '')
    if (!item || isNavigation(item)) continue
    const path = resolvePath(root, item['href'] ?? '')
    if (encrypted.has(path))
      throw new TextFileProblem('protected', 'A chapter of the book is encrypted')
    const bytes = zip.bytes(path)
    if (!bytes || read.has(path) || !/html|xml/.test(item['media-type'] ?? '')) continue
    read.add(path)
    const blocks = htmlBlocks(strFromU8(bytes).replace(/^\u{FEFF}/u, ''), { xml: true })
    if (blocks.length === 0) continue
    const chars = blocks.reduce((sum, { content }) => sum + content.length, 0)
    const isTitled = blocks.some(({ kind }) => kind === 'title')
    if (chars > chapterChars) yield* sectionsOf(blocks)
    else if (isTitled) yield sectionOf(blocks)
    else yield titledSection(blocks, titles.get(path))
  }
}

/** Returns a chapter without headings; text at its beginning that is its title in the table of contents is one. */
function titledSection(blocks: readonly TextBlock[], title: string | undefined): Section {
  const [first, ...others] = blocks
  const isTitle = first?.kind === 'text' && sectionOf([], first.content).title === title
  return sectionOf(
    isTitle ? [{ kind: 'title', content: `# ${first.content}` }, ...others] : blocks,
    title,
  )
}

const isNavigation = (item: Readonly<Record<string, string>>): boolean =>
  /(?:^|\s)nav(?:\s|$)/.test(item['properties'] ?? '')

/** Returns the titles of chapters by their paths, from the table of contents of either version of the format. */
function tableOfContents(
  zip: ZipFiles,
  root: string,
  items: readonly Readonly<Record<string, string>>[],
): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  const add = (from: string, href: string | undefined, title: string): void => {
    const path = resolvePath(from, href ?? '')
    if (href !== undefined && !titles.has(path)) titles.set(path, title.replace(/\s+/g, ' ').trim())
  }
  for (const item of items) {
    const path = resolvePath(root, item['href'] ?? '')
    if (!isNavigation(item) && item['media-type'] !== 'application/x-dtbncx+xml') continue
    const contents = zip.xml(path)
    if (!contents) continue
    for (const link of elementsNamed(contents, 'a')) add(path, link.attribs['href'], textOf(link))
    // Nested entries are chapters, too, but the text of the outer one must not contain theirs.
    const points = (node: Parameters<typeof elementsNamed>[0]): readonly XmlElement[] =>
      elementsNamed(node, 'navPoint').flatMap((point) => [point, ...points(point)])
    for (const point of points(contents)) {
      const [label] = elementsNamed(point, 'navLabel')
      const [content] = elementsNamed(point, 'content')
      if (label) add(path, content?.attribs['src'], textOf(label))
    }
  }
  return titles
}

const textOf = (node: XmlElement): string =>
  node.children
    .map((child) => {
      if ('attribs' in child) return textOf(child)
      return 'data' in child ? child.data : ''
    })
    .join('')

/** Returns the encrypted files of a book; fonts are often obfuscated in free ones. */
function encryptedPaths(zip: ZipFiles): ReadonlySet<string> {
  const list = zip.xml('META-INF/encryption.xml')
  const references = list ? elementsNamed(list, 'CipherReference') : []
  return new Set(references.map(({ attribs }) => resolvePath('', attribs['URI'] ?? '')))
}
