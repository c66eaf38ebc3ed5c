import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { WorkerUrl } from '../src/main/deps.ts'
import { openStore } from '../src/main/library-database/open.ts'
import type { MeaningRequest } from '../src/main/domains/library/store/semantic-types.ts'
import type { Store } from '../src/main/library-database/store.ts'
import { createWorkerClient } from '../src/main/platform/workers/client.ts'
import { against, alone, measured, quantile, timed, type Bench, type Row } from './row.ts'
import { watchMainWork } from './search-1m/main-work.ts'
import { exactScan } from './vectors-200k/exact.ts'
import { buildLibrary, type Built } from './vectors-200k/library.ts'
import { clustered, uniform, type VectorSet } from './vectors-200k/sets.ts'

/** Number of stored vectors, their dimensions, and number of query vectors, none of which is in the set. */
const size = 200_000
const dimensions = 1024
const questions = 100
/** Number of results requested and compared. */
const wanted = 10

const workerUrl: WorkerUrl = (worker) =>
  new URL(`../src/main/workers/${worker}.ts`, import.meta.url)

/**
 * Searches two hundred thousand stored vectors through the worker, compared with a scan of all stored vectors: vectors clustered
 * by topic, as texts have them, and uniformly random vectors, whose neighbors are hardly nearer than the rest.
 */
export const bench: Bench = {
  name: 'vectors-200k',
  run: async () => [
    ...measured(await rowsOf('in topics', clustered(dimensions, 1))),
    ...measured(await rowsOf('without order', uniform(dimensions, 2))),
  ],
}

async function rowsOf(name: string, set: VectorSet): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'lectern-vectors-200k-'))
  const quiet = () => undefined
  const options = {
    home,
    clock: () => Date.now(),
    workerUrl,
    log: { info: quiet, warn: quiet, error: quiet },
    appVersion: 'bench',
    checkAfterMs: 3_600_000,
  }
  try {
    await (await openStore(options)).close()
    const path = join(home, 'library.db')
    const built = buildLibrary(path, set, { size, dimensions })
    const queryVectors = Array.from({ length: questions }, () => set.next())
    const scan = exactScan(path, queryVectors, wanted)
    const store = await openStore(options)
    try {
      return await measure(name, store, { built, queryVectors, scan, home })
    } finally {
      await store.close()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The first search of a worker that loads the index from disk. */
async function coldStart(
  home: string,
  built: Built,
  vector: Float32Array | undefined,
): Promise<number> {
  if (!vector) throw new Error('Nothing is asked')
  const data = { path: join(home, 'library.db'), folder: join(home, 'vectors') }
  const worker = createWorkerClient<MeaningRequest, unknown>({
    url: workerUrl('vectors'),
    name: 'Vectors',
    data,
  })
  try {
    return await timed(() =>
      worker.call({
        ask: 'search',
        index: built.index,
        vector,
        limit: wanted,
        kinds: null,
        from: null,
        until: null,
        tag: null,
        starred: false,
      }),
    )
  } finally {
    await worker.close()
  }
}

/** Collects garbage from building and scanning: the app has none of it, and collecting it later would count as main's work. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc === 'function') gc()
}

interface Measured {
  readonly built: Built
  readonly queryVectors: readonly Float32Array[]
  readonly scan: ReturnType<typeof exactScan>
  readonly home: string
}

async function measure(
  name: string,
  store: Store,
  { built, queryVectors, scan, home }: Measured,
): Promise<readonly Row[]> {
  const search = (
    vector: Float32Array,
    more: { readonly from?: number; readonly until?: number } = {},
  ) =>
    store.semantic.ask({
      ask: 'search',
      index: built.index,
      vector,
      limit: wanted,
      kinds: null,
      from: more.from ?? null,
      until: more.until ?? null,
      tag: null,
      starred: false,
    })
  // One item in twenty, by its date: filtering must not lose any result.
  const few = { from: 0, until: size / 20 }
  const truthOfFew = scan.nearestBelow(few.until)
  collect()
  const main = watchMainWork()
  const build = await timed(() => store.semantic.ask({ ask: 'warm', index: built.index }))
  const { bytes } = await store.semantic.ask({ ask: 'warm', index: built.index })
  const durations: number[] = []
  let hits = 0
  for (const [place, vector] of queryVectors.entries()) {
    const started = performance.now()
    const found = await search(vector)
    durations.push(performance.now() - started)
    const truth = scan.nearest[place]
    hits += found.filter(({ itemId }) => truth?.has(itemId)).length
  }
  let narrowed = 0
  for (const [place, vector] of queryVectors.entries())
    narrowed += (await search(vector, few)).filter(({ itemId }) =>
      truthOfFew[place]?.has(itemId),
    ).length
  const longest = main.longest()
  const pause = main.pause()
  main.stop()
  const again = await coldStart(home, built, queryVectors[0])
  const of = (what: string): string => `vectors ${name}: ${what}`
  const all = queryVectors.length * wanted
  const mib = 2 ** 20
  const codes = join(
    home,
    'vectors',
    `${built.index.id}-${built.index.createdAt}-${dimensions}.codes`,
  )
  return [
    against({ name: of(`recall at ${wanted}`), figure: hits / all, unit: 'of 1' }, 'goal', 0.95),
    against(
      { name: of('recall within 5% of the items'), figure: narrowed / all, unit: 'of 1' },
      'goal',
      0.95,
    ),
    against(
      { name: of('p50'), figure: quantile(durations, 0.5), unit: 'ms' },
      'exact scan',
      scan.ms,
    ),
    against(
      { name: of('p95'), figure: quantile(durations, 0.95), unit: 'ms' },
      'exact scan',
      scan.ms,
    ),
    against(
      { name: of('p95, against the goal'), figure: quantile(durations, 0.95), unit: 'ms' },
      'goal',
      50,
    ),
    against({ name: of("main's longest work"), figure: longest, unit: 'ms' }, 'a frame', 16),
    alone({ name: of('longest garbage collection pause in it'), figure: pause, unit: 'ms' }),
    alone({ name: of('index built from the stored vectors'), figure: build / 1000, unit: 's' }),
    alone({ name: of('first search after startup'), figure: again, unit: 'ms' }),
    against({ name: of('memory'), figure: bytes / mib, unit: 'MiB' }, 'vectors', built.bytes / mib),
    against(
      { name: of('index on disk'), figure: statSync(codes).size / mib, unit: 'MiB' },
      'vectors',
      built.bytes / mib,
    ),
  ]
}
