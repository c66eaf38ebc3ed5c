import { homedir, tmpdir } from 'node:os'
import { dirname, sep } from 'node:path'
import { root } from './tree.ts'

/** Text that must not be in the repository. */
export interface Unwanted {
  readonly what: string
  readonly pattern: RegExp
  /** Files that may contain it, because they are about it. */
  readonly except?: RegExp
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns folders of this machine that reveal where someone works. */
function ownFolders(): string[] {
  const here = root.replace(/[\\/]$/, '')
  const above = dirname(here)
  // Every machine has these, whatever folder the tests use for their own files.
  const temporary = [tmpdir(), '/tmp', '/var/tmp']
  return [here, above, homedir()].filter(
    (folder) =>
      folder.length > 1 &&
      !temporary.some((one) => one.startsWith(folder) || folder.startsWith(one)),
  )
}

/** Texts that must not occur anywhere in the repository. */
export const unwanted: readonly Unwanted[] = [
  {
    what: 'work left undone',
    pattern: /\b(TODO|FIXME|XXX|HACK)\b/,
    except: /^test\/architecture\//,
  },
  {
    what: 'a folder of this machine',
    pattern: new RegExp(
      ownFolders()
        .map((folder) => literal(folder + sep))
        .join('|') || '(?!)',
    ),
  },
  {
    what: 'the address of a package registry',
    pattern: /\bregistry\.[a-z0-9-]+\.(org|com|cn|net|io|dev)\b|npmmirror/i,
    except: /^test\/architecture\//,
  },
  {
    what: 'a switched-off check',
    pattern: /(oxlint|eslint)-disable|@ts-(ignore|nocheck|expect-error)/,
    except: /^(test\/(architecture|tooling)\/|\.oxlintrc\.json$)/,
  },
]

/** Returns where a file contains an unwanted text, as `file:line what`. */
export function unwantedIn(path: string, text: string): string[] {
  return unwanted
    .filter((each) => !each.except?.test(path))
    .flatMap((each) =>
      text
        .split('\n')
        .flatMap((line, i) =>
          each.pattern.test(line) ? [`${path}:${i + 1} holds ${each.what}`] : [],
        ),
    )
}
