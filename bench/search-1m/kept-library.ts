import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Facts about a built library, stored next to its file. */
export interface Built {
  readonly seconds: number
  readonly textBytes: number
  /** Whether it was built by an earlier run: the seconds are that run's. */
  readonly reused: boolean
}

/** Folder in which built libraries are saved for the next run (`LECTERN_BENCH_KEEP`); empty if not set. */
const keep = process.env.LECTERN_BENCH_KEEP ?? ''

/** Project files that determine the contents of the library file. */
const shapedBy = [
  'bench/search-1m/texts.ts',
  'bench/search-1m/messages-library.ts',
  'src/main/domains/chats/store/chats-index.ts',
  'src/main/domains/chats/store/chats-chunks.ts',
  'src/main/domains/chats/store/chats-scope.ts',
  'src/main/platform/database/search-merge.ts',
  'src/main/domains/library/store/search-kinds.ts',
  'src/main/domains/library/store/search-rebuild.ts',
  'src/main/platform/database/search-rows.ts',
  'src/main/platform/database/migrate.ts',
  'src/main/platform/database/schema.ts',
  'src/main/platform/database/schema/chats.ts',
  'src/main/platform/database/schema/library.ts',
  'src/shared/text/cut.ts',
  'src/shared/text/fold.ts',
]

/**
 * Creates a library file at `path`: builds it, or copies one that an earlier run with the same generator, index and size saved in
 * the folder of `LECTERN_BENCH_KEEP`. Without that folder every run builds its own.
 */
export function savedLibrary(
  path: string,
  size: number,
  build: (path: string) => Omit<Built, 'reused'>,
): Built {
  if (keep === '') return { ...build(path), reused: false }
  mkdirSync(keep, { recursive: true })
  const cached = join(keep, `messages-${size}-${shape()}`)
  if (existsSync(`${cached}.json`)) {
    cpSync(`${cached}.db`, path)
    return { ...(JSON.parse(readFileSync(`${cached}.json`, 'utf8')) as Built), reused: true }
  }
  const built = build(path)
  cpSync(path, `${cached}.partial`)
  renameSync(`${cached}.partial`, `${cached}.db`)
  // Written last: its presence means that the library file next to it is complete.
  writeFileSync(`${cached}.json`, JSON.stringify(built))
  return { ...built, reused: false }
}

/** A hash that identifies the library's contents, computed from the sources that determine them. */
function shape(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const hash = createHash('sha256')
  for (const file of shapedBy) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
