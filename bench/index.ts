import { parseArgs } from 'node:util'
import type { Bench, Row } from './row.ts'
import { table } from './table.ts'

/** All benchmarks by name, loaded on demand. */
const benches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  start: () => import('./start.ts'),
  'ui-thread': () => import('./ui-thread.ts'),
  bridge: () => import('./bridge.ts'),
  sse: () => import('./sse.ts'),
  'search-1m': () => import('./search-1m.ts'),
  'library-lists': () => import('./library-lists.ts'),
  'library-archive': () => import('./library-archive.ts'),
  'pdf-split': () => import('./pdf-split.ts'),
  'pdf-600': () => import('./pdf-600.ts'),
  'upload-50mb': () => import('./upload-50mb.ts'),
  'agent-events': () => import('./agent-events.ts'),
  'endless-answers': () => import('./endless-answers.ts'),
  'chat-4mb': () => import('./chat-4mb.ts'),
  'chat-5000': () => import('./chat-5000.ts'),
  'meeting-3h': () => import('./meeting-3h.ts'),
  'live-text': () => import('./live-text.ts'),
  'vectors-200k': () => import('./vectors-200k.ts'),
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, json: { type: 'boolean' } },
  })
  const names = values.only ?? Object.keys(benches)
  const unknown = names.filter((name) => !Object.hasOwn(benches, name))
  if (unknown.length > 0) {
    console.error(`No bench ${unknown.join(', ')}. Benches: ${Object.keys(benches).join(', ')}.`)
    return 1
  }
  const rows: Row[] = []
  let failed = 0
  for (const name of names) {
    // Progress goes to stderr, so that the --json output can be piped.
    console.error(`Measuring ${name} ...`)
    try {
      const loaded = await benches[name]?.()
      if (loaded) rows.push(...(await loaded.bench.run()))
    } catch (error) {
      failed += 1
      console.error(`${name} failed:`, error)
    }
  }
  console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows))
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
