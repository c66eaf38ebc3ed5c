import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a built library tells beside its file. */
export interface Built {
  readonly seconds: number
  readonly textBytes: number
  /** It was built by an earlier run: the seconds are that run's. */
  readonly reused: boolean
}

/** Folder in which built libraries are kept for the next run (`LECTERN_BENCH_KEEP`); none when it is not set. */
const keep = process.env.LECTERN_BENCH_KEEP ?? ''

/** Files of this project that decide what the library's file holds. */
const shapedBy = [
  'bench/search-1m/texts.ts',
  'bench/search-1m/messages-library.ts',
  'src/main/store/chats-index.ts',
  'src/main/store/chats-chunks.ts',
  'src/main/store/chats-rebuild.ts',
  'src/main/store/chats-scope.ts',
  'src/main/store/search-merge.ts',
  'src/main/store/search-numbers.ts',
  'src/main/store/search-rows.ts',
  'src/main/store/migrations/index.ts',
  'src/main/store/migrations/0100-chats.ts',
  'src/shared/text/cut.ts',
  'src/shared/text/fold.ts',
]

/**
 * Makes a library's file at `path`: built there, or a copy of one that an earlier run with the same generator, index and size left in
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
  // Last: its presence says that the file beside it is whole.
  writeFileSync(`${cached}.json`, JSON.stringify(built))
  return { ...built, reused: false }
}

/** A name for what the library looks like, from the text of all that shapes it. */
function shape(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const hash = createHash('sha256')
  for (const file of shapedBy) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
