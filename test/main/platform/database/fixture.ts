import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removal } from '../../../../src/system/file-moves.ts'
import type { Log } from '../../../../src/main/deps.ts'
import { openStore, type OpenStoreOptions } from '../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../src/main/library-database/store.ts'
import type { Media } from '../../../../src/shared/model/library.ts'
import { workerUrl } from '../../../fixtures/worker-url.ts'

/** Log that only records lines. */
export function memoryLog(): Log & { readonly lines: string[] } {
  const lines: string[] = []
  const add = (message: string, fields?: unknown) =>
    void lines.push(`${message} ${JSON.stringify(fields ?? {})}`)
  return { lines, info: add, warn: add, error: add }
}

/** Clock that advances one second with each call, from the start of 2026. */
export function tickingClock(start = Date.UTC(2026, 0, 1)): () => number {
  let now = start
  return () => (now += 1000)
}

/** Temporary data folder, deleted by `remove`. */
export function temporaryHome(): { readonly home: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  return {
    home: join(folder, 'home'),
    // A store does not wait for workers that are slow to end, and Windows deletes no file that one of them has open.
    remove: () => rmSync(folder, { ...removal, maxRetries: 20 }),
  }
}

/** Options of a store at `home`, with an idle check far in the future. */
export function storeOptions(home: string): OpenStoreOptions {
  return {
    home,
    clock: tickingClock(),
    workerUrl,
    log: memoryLog(),
    appVersion: '0.0.0',
    checkAfterMs: 3_600_000,
  }
}

/** Opens a store, runs `work`, closes the store and leaves the folder. */
export async function withStore<T>(
  home: string,
  work: (store: Store) => T | Promise<T>,
  options: Partial<OpenStoreOptions> = {},
): Promise<T> {
  const store = await openStore({ ...storeOptions(home), ...options })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Sample media row. */
export function aMedia(id: string, createdAt = 1): Media {
  return {
    id,
    sha256: '0'.repeat(64),
    bytes: 10,
    mime: 'audio/wav',
    name: `${id}.wav`,
    duration: 1.5,
    createdAt,
  }
}

/** Adds a meeting with one line. */
export function addItem(store: Store, id: string, title: string, text: string, at = 1): void {
  store.transaction(() => {
    store.media.put(aMedia(`m-${id}`, at))
    store.meetings.create({
      id,
      title,
      source: 'import',
      state: 'stopped',
      channels: ['mono'],
      sampleRate: 16_000,
      mediaId: `m-${id}`,
      hasAudio: true,
      accountId: 'this-computer',
      prompt: '',
      hotwords: [],
      at,
    })
    if (text !== '') putText(store, id, text)
  })
}

/** Replaces the line of a meeting, as another transcription does. */
export function putText(store: Store, id: string, text: string): void {
  const span = { channel: 0, startMs: 0, endMs: 1500 }
  const segmentId = `s-${id}`
  if (!store.meetings.segment(segmentId)) {
    const segment = { ...span, id: segmentId, forcedStart: false, forcedEnd: false, voiced: [] }
    store.meetings.addSegments(id, 0, [segment], 1500)
  }
  const by = { segmentId, text, flags: [], model: 'moonshine-tiny', accountName: 'This computer' }
  store.meetings.saveTranscription(
    {
      ...by,
      id: randomUUID(),
      accountId: 'this-computer',
      requestId: null,
      notice: null,
      at: 2,
    },
    { state: 'done', flags: [] },
    [{ ...by, ...span, speakerId: '' }],
  )
}

/** Returns the text of a meeting. */
export const textOf = (store: Store, id: string): string =>
  store.meetings
    .lines(id)
    .map(({ text }) => text)
    .join('\n')

/** Returns the code of the AppError that `work` throws; `none` if it throws nothing. */
export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'none'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
