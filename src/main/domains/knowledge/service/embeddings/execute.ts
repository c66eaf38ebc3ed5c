import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { EmbeddingRun } from '../../../../../shared/model/embeddings.ts'
import { removal } from '../../../../../system/file-moves.ts'
import { AppError } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import { addGeneratedFile } from '../../../../platform/files/generated-file.ts'
import { openVectorFile } from '../../../../operations/vectors.ts'
import type { Attempt } from '../../../../work-queue/jobs.ts'
import type { SetPatch } from '../../store/embeddings-store.ts'
import { fromFileSystem } from '../../../../platform/database/file-errors.ts'
import { isSingle } from '../../../../platform/vectors/bytes.ts'
import type { EmbeddingsDeps } from './embedding-types.ts'

/** Minimum milliseconds between two progress events. */
const reportEveryMs = 200

/**
 * Embeds what is missing of a run, one option after the other. If there are new vectors of an option, all of them are written
 * to a file, except when Lectern ends: then the cache has them, and the next start continues. Returns the number of
 * requests. Throws the errors of embedding.
 */
export async function executeSets(
  deps: Pick<
    EmbeddingsDeps,
    'home' | 'store' | 'files' | 'embed' | 'clock' | 'log' | 'mask' | 'emit'
  > & { readonly closing: AbortSignal },
  run: EmbeddingRun,
  texts: readonly string[],
  { signal, responded, advanced }: Attempt,
): Promise<number> {
  const { store, closing } = deps
  let calls = 0
  const change = async (place: number, patch: SetPatch): Promise<void> => {
    const unused = store.embeddings.changeSet(run.id, place, patch, deps.clock())
    const now = store.embeddings.get(run.id)
    if (now) deps.emit({ type: 'embeddings.changed', run: now })
    for (const id of unused) await deps.files.remove(id)
  }

  for (const [place, set] of run.sets.entries()) {
    if (set.state === 'done') continue
    signal.throwIfAborted()
    const { model, dimensions } = set
    const sheet = await openSheet(
      join(deps.home, 'embeddings', `${run.id}-${place}.f32`),
      texts.length,
      dimensions,
      deps.files,
    )
    let reportedAt = 0
    let cached = 0
    /** Position of the first text that no vector was known for before the first response. */
    let firstSent: number | null = null
    const progress = { done: 0, of: 0 }
    /** Number of different texts whose vectors are in the file of an earlier attempt. */
    const savedVectors = set.state === 'partial' && set.mediaId !== null ? set.done : 0
    const keep = async (patch: SetPatch): Promise<void> => {
      const whole = sheet.filled === texts.length
      const mediaId = await sheet.keep(`${model}-${dimensions}.f32`)
      await change(place, {
        ...progress,
        cached,
        ...patch,
        state: whole ? 'done' : 'partial',
        mediaId,
      })
    }
    try {
      await change(place, { state: 'running' })
      const outcome = await deps.embed.embed(
        { accountId: run.accountId, model, dimensions, texts },
        {
          signal,
          onVectors(vectors) {
            for (const { places, vector } of vectors) sheet.put(places, vector)
            // Texts are sent in their order: those that failed before are the first ones.
            if (firstSent !== null && sheet.firstMissing > firstSent) advanced()
          },
          onResponse() {
            firstSent ??= sheet.firstMissing
            responded()
          },
          onProgress({ done, total, cached: known }) {
            progress.done = done
            progress.of = total
            cached = known
            const now = performance.now()
            if (now - reportedAt < reportEveryMs) return
            reportedAt = now
            void change(place, { ...progress, cached }).catch((error: unknown) =>
              deps.log.warn('failed to save the progress of embeddings', { error }),
            )
          },
        },
      )
      calls += outcome.calls
      const masked = (text: string | null): string | null =>
        text === null ? null : deps.mask(text)
      await keep({
        cached: outcome.cached,
        calls: outcome.calls,
        ...(outcome.calls > 0 && {
          usage: outcome.usage,
          engine: masked(outcome.engine),
          notice: masked(outcome.notice),
        }),
      })
    } catch (error) {
      // Without new vectors, the file of an earlier attempt has them all.
      if (closing.aborted || progress.done <= savedVectors) await sheet.drop()
      else
        await keep({}).catch((second: unknown) =>
          deps.log.warn('failed to save received vectors', { error: second }),
        )
      if (progress.done <= savedVectors && !closing.aborted)
        await change(place, {
          done: savedVectors,
          state: savedVectors === 0 ? 'waiting' : 'partial',
        })
      throw error
    }
  }
  if (store.embeddings.get(run.id)?.sets.some(({ state }) => state !== 'done'))
    throw new AppError('MALFORMED_REPLY', 'Vectors are missing')
  return calls
}

/**
 * Writes vectors to a file, each at the positions of its text, in any order. The file contains 32-bit floats, which search and
 * maps read; if these cannot represent all received numbers exactly, 64-bit floats follow them, which exports read.
 */
interface VectorSheet {
  put(places: readonly number[], vector: Float64Array): void
  /** Number of positions that have a vector. */
  readonly filled: number
  /** The first position without a vector. */
  readonly firstMissing: number
  /** Marks missing vectors and saves the file; returns its media ID. */
  keep(name: string): Promise<string>
  /** Deletes the unfinished file. */
  drop(): Promise<void>
}

/** Number of rows without a vector that are marked at a time. */
const markedAtOnce = 256

/** Creates a file for `count` vectors. */
async function openSheet(
  path: string,
  count: number,
  dimensions: number,
  files: Pick<MediaFiles, 'intake'>,
): Promise<VectorSheet> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const exactPath = `${path}.exact`
  const file = await openVectorFile(path)
  const exact = await openVectorFile(exactPath)
  let single = true
  const there = new Uint8Array(count)
  const none = new Float32Array(dimensions).fill(Number.NaN)
  let filled = 0
  let first = 0

  const mark = async (): Promise<void> => {
    for (let at = 0, marked = 0; at < count; at++) {
      if (there[at] === 1) continue
      file.put(at, [none])
      exact.put(at, [Float64Array.from(none)])
      marked += 1
      if (marked % markedAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const remove = async (): Promise<void> => {
    for (const one of [path, exactPath]) await rm(one, removal)
  }
  return {
    get filled() {
      return filled
    },
    get firstMissing() {
      while (there[first] === 1) first += 1
      return first
    },
    put(places, vector) {
      single &&= isSingle(vector)
      for (const place of places) {
        if (there[place] === 0) filled += 1
        there[place] = 1
        file.put(place, [Float32Array.from(vector)])
        exact.put(place, [vector])
      }
    },
    async keep(name) {
      await mark()
      await file.close()
      await exact.close()
      if (!single)
        await pipeline(createReadStream(exactPath), createWriteStream(path, { flags: 'a' })).catch(
          (error: unknown) => {
            throw fromFileSystem(error)
          },
        )
      const mediaId = await addGeneratedFile(files, path, name)
      await remove()
      return mediaId
    },
    async drop() {
      await file.close().catch(() => undefined)
      await exact.close().catch(() => undefined)
      await remove()
    },
  }
}
