import { spawn } from 'node:child_process'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryHome, withStore, textOf } from './fixture.ts'

const rounds = 6

/** Starts the writer, kills it `ms` after it is ready, and returns the last number it printed. */
function writeAndKill(home: string, start: number, ms: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'writer.ts'), home, String(start)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (chunk: string) => {
      if (output === '') setTimeout(() => child.kill('SIGKILL'), ms)
      output += chunk
    })
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') {
        reject(new Error(`The writer ended by ${signal}`))
        return
      }
      const numbers = output
        .split('\n')
        .slice(0, -1)
        .filter((line) => line !== 'ready')
      resolve(numbers.length > 0 ? Number(numbers.at(-1)) : start - 1)
    })
  })
}

test('keeps every reported row, complete and searchable, after kill -9 while writing', async () => {
  const folder = temporaryHome()
  try {
    // Fixed pauses of 20 to 320 ms, from a small generator with a fixed seed.
    let seed = 20260131
    let next = 0
    for (let round = 0; round < rounds; round++) {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      const last = await writeAndKill(folder.home, next, 20 + (seed % 300))
      await withStore(folder.home, async (store) => {
        expect(store.notice).toEqual({ state: 'ok' })
        for (let n = next; n <= last; n++) {
          // The writer purges the tenth row before every fiftieth.
          const purged = n % 50 === 39 && n + 10 <= last + 1
          const text = store.meetings.get(`i${n}`) && textOf(store, `i${n}`)
          if (text === undefined) expect(purged, `item ${n} of ${last}`).toBe(true)
          else expect(text).toMatch(new RegExp(`^committed text ${n} .* grown${n}$`))
        }
        if (last >= next) {
          const { hits } = await store.search.search({ query: `grown${last}`, limit: 5 })
          expect(hits.some((hit) => hit.itemId === `i${last}`)).toBe(true)
        }
      })
      const db = new Database(join(folder.home, 'library.db'), { readonly: true })
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      // The last row may have been committed without being reported.
      const newest = db
        .prepare<[], { seq: number; id: string }>(
          'SELECT seq, id FROM items ORDER BY seq DESC LIMIT 1',
        )
        .get()
      db.close()
      next = newest ? Number(newest.id.slice(1)) + 1 : 0
    }
    expect(next).toBeGreaterThan(rounds)
  } finally {
    folder.remove()
  }
})
