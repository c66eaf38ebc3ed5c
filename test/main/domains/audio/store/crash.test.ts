import { spawn } from 'node:child_process'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { recount } from '../../../../../src/main/library-database/counts.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'

const rounds = 5

/** Starts the writer, kills it `ms` after it is ready, and returns the last number it printed. */
function transcribeAndKill(home: string, start: number, ms: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'transcription-writer.ts'), home, String(start)],
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
      if (signal !== 'SIGKILL') return reject(new Error(`The writer ended by ${signal}`))
      const numbers = output.split('\n').slice(1, -1)
      resolve(numbers.length > 0 ? Number(numbers.at(-1)) : start - 1)
    })
  })
}

test('keeps the lines of every reported segment, searchable, after kill -9 while transcribing', async () => {
  const folder = temporaryHome()
  try {
    let seed = 20261121
    let next = 0
    const reportedNumbers = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      const last = await transcribeAndKill(folder.home, next, 20 + (seed % 300))
      for (let n = next; n <= last; n++) reportedNumbers.add(n)
      await withStore(folder.home, async (store) => {
        expect(store.notice).toEqual({ state: 'ok' })
        const segments = store.meetings.segments('m')
        expect(segments.length).toBeGreaterThan(last)
        const lines = store.meetings.lines('m')
        for (const [n, segment] of segments.entries()) {
          const texts = lines.filter((line) => line.segmentId === segment.id).map((l) => l.text)
          // Transcribed with its lines and its version, or not at all.
          if (segment.state === 'pending') expect([texts, n > last]).toEqual([[], true])
          else {
            const edited = n % 3 === 0 && n % 9 !== 0 ? `edited${n}` : `word${n} first`
            if (reportedNumbers.has(n)) expect(texts).toEqual([edited, `第${n}句`])
            else expect(texts).toHaveLength(2)
            expect(store.meetings.version(segment.versionId ?? '')?.state).toBe('current')
          }
        }
        if (last >= next) {
          const [hit] = store.meetings.find('m', `第${last}句`)
          expect(lines.find((line) => line.id === hit?.lineId)?.segmentId).toBe(`s${last}`)
        }
        // A segment that was found but not transcribed is transcribed by the next round.
        next = segments.filter((segment) => segment.state !== 'pending').length
      })
      const db = new Database(join(folder.home, 'library.db'))
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      const savedRows = db.prepare('SELECT * FROM meetings').all()
      recount(db)
      expect(db.prepare('SELECT * FROM meetings').all()).toEqual(savedRows)
      db.close()
    }
    expect(next).toBeGreaterThan(rounds)
  } finally {
    folder.remove()
  }
})
