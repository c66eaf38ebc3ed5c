import { join } from 'node:path'
import type { EmbeddingRun } from '../../../shared/model/embeddings.ts'
import { AppError } from '../../errors.ts'
import type { SetPatch } from '../../store/embeddings.ts'
import type { EmbeddingsDeps } from './types.ts'
import { openSheet } from './vector-sheet.ts'

/** Minimum milliseconds between two progress events. */
const reportEveryMs = 200

/**
 * Embeds what is missing of a run, one option after the other. The vectors received for an option are always written to
 * a file, except when Lectern ends: then the cache has them, and the next start continues. Throws the errors of
 * embedding.
 */
export async function executeSets(
  deps: Pick<
    EmbeddingsDeps,
    'home' | 'store' | 'files' | 'embed' | 'clock' | 'log' | 'mask' | 'onRun'
  >,
  run: EmbeddingRun,
  texts: readonly string[],
  { signal, closing }: { readonly signal: AbortSignal; readonly closing: AbortSignal },
): Promise<void> {
  const { store } = deps
  const change = async (place: number, patch: SetPatch): Promise<void> => {
    const unused = store.embeddings.changeSet(run.id, place, patch, deps.clock())
    const now = store.embeddings.get(run.id)
    if (now) deps.onRun(now)
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
    const progress = { done: 0, of: 0 }
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
      if (closing.aborted || sheet.filled === 0) await sheet.drop()
      else
        await keep({}).catch((second: unknown) =>
          deps.log.warn('failed to save received vectors', { error: second }),
        )
      if (sheet.filled === 0 && !closing.aborted) await change(place, { state: 'waiting' })
      throw error
    }
  }
  if (store.embeddings.get(run.id)?.sets.some(({ state }) => state !== 'done'))
    throw new AppError('MALFORMED_REPLY', 'Vectors are missing')
}
