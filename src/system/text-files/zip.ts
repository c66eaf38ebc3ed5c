import { parseDocument } from 'htmlparser2'
import { strFromU8, unzipSync } from 'fflate'
import { TextFileProblem } from './blocks.ts'

/** Tree of an XML file. */
export type XmlDocument = ReturnType<typeof parseDocument>
type XmlNode = XmlDocument['children'][number]
export type XmlElement = Extract<XmlNode, { readonly attribs: unknown }>
type XmlParent = Pick<XmlElement, 'children'>

/** Returns a name without its prefix, which programs choose freely. */
export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1)

export const elementsOf = ({ children }: XmlParent): readonly XmlElement[] =>
  children.filter((node) => 'attribs' in node)

/** Returns the outermost elements with a name below a node, in order. */
export function elementsNamed(node: XmlParent, name: string): readonly XmlElement[] {
  return elementsOf(node).flatMap((one) =>
    localName(one) === name ? [one] : elementsNamed(one, name),
  )
}

/** Files inside a zip archive, by their paths in it. */
export interface ZipFiles {
  has(path: string): boolean
  /** Returns the paths of all files. */
  paths(): readonly string[]
  bytes(path: string): Uint8Array | undefined
  /** Returns the tree of an XML file; null if there is none. No entity is expanded and nothing is loaded. */
  xml(path: string): XmlDocument | null
}

/** Maximum number of files in an archive, and of bytes that all unpacked ones have. */
const maxEntries = 20_000
const maxBytes = 400_000_000

/** Media are never read. */
const isMedia = (path: string): boolean =>
  /\.(?:png|jpe?g|gif|bmp|tiff?|webp|svg|emf|wmf|mp[34]|m4[av]|wav|mov|avi|wmv|ttf|otf|woff2?|odttf|bin|css|js)$/i.test(
    path,
  )

/** Signature of the compound files of older programs, in which encrypted files are wrapped, too. */
const compound = [0xd0, 0xcf, 0x11, 0xe0]

/**
 * Unpacks the texts of an archive. A file never unpacks to more than the size that its entry names, so these sizes are checked
 * beforehand. Throws {@link TextFileProblem}.
 */
export function openZip(file: Uint8Array): ZipFiles {
  if (compound.every((byte, at) => file[at] === byte))
    throw new TextFileProblem('protected', 'The file is encrypted, or of an older format')
  let entries = 0
  let bytes = 0
  let files: Record<string, Uint8Array>
  try {
    files = unzipSync(file, {
      filter({ name, size, originalSize }) {
        entries += 1
        if (entries > maxEntries)
          throw new TextFileProblem('too-large', `The archive has more than ${maxEntries} files`)
        if (isMedia(name) || name.endsWith('/')) return false
        // A stored entry is unpacked with its packed size, whatever the other one says.
        bytes += Math.max(size, originalSize)
        if (bytes > maxBytes)
          throw new TextFileProblem('too-large', `The archive unpacks to over ${maxBytes} bytes`)
        return true
      },
    })
  } catch (error) {
    if (error instanceof TextFileProblem) throw error
    throw new TextFileProblem('damaged', 'The archive cannot be unpacked', { cause: error })
  }
  const contents = new Map(Object.entries(files))
  return {
    has: (path) => contents.has(path),
    paths: () => [...contents.keys()],
    bytes: (path) => contents.get(path),
    xml(path) {
      const found = contents.get(path)
      return found ? parseDocument(strFromU8(found), { xmlMode: true }) : null
    },
  }
}

/** Targets of a file's relations by their IDs. */
export type Relations = ReadonlyMap<string, { readonly path: string; readonly type: string }>

/** Returns the relations of a file of an office archive, with their targets as paths in it. */
export function relationsOf(zip: ZipFiles, path: string): Relations {
  const slash = path.lastIndexOf('/')
  const rels = zip.xml(`${path.slice(0, slash)}/_rels${path.slice(slash)}.rels`)
  return new Map(
    (rels ? elementsNamed(rels, 'Relationship') : [])
      .filter(({ attribs }) => attribs['TargetMode'] !== 'External')
      .map(({ attribs }) => [
        attribs['Id'] ?? '',
        { path: resolvePath(path, attribs['Target'] ?? ''), type: attribs['Type'] ?? '' },
      ]),
  )
}

/** Returns the path that an element of a list names by the ID of a relation; its own `id` has no prefix. */
export function relatedPath({ attribs }: XmlElement, relations: Relations): string | undefined {
  const id = Object.entries(attribs).find(([name]) => name.endsWith(':id'))?.[1]
  return id === undefined ? undefined : relations.get(id)?.path
}

/** Returns the path of a target relative to a file in the archive, without leaving the archive. */
export function resolvePath(from: string, target: string): string {
  const [path = ''] = target.split('#', 1)
  const parts = path.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of decoded(path).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
