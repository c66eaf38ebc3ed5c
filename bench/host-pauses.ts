import { setTimeout as sleep } from 'node:timers/promises'
import type { HostProcess } from '../test/fixtures/host-process.ts'
import { pausesMark, type Pauses } from './meeting-3h/main-pauses.ts'

/** A host's environment for {@link beginPauses} and {@link pausesOf}. */
export const watched = {
  NODE_OPTIONS: `--import=${new URL('./meeting-3h/main-pauses.ts', import.meta.url).href}`,
  LECTERN_BENCH_PAUSES: '1',
} as const

/** Begins to watch how long the host's main thread stands still. */
export async function beginPauses(host: HostProcess): Promise<void> {
  host.process.kill('SIGUSR2')
  await sleep(100)
}

/** What its pauses were since this was asked last, or since the watch began. Throws when the host does not say it within three seconds. */
export async function pausesOf(host: HostProcess): Promise<Pauses> {
  const before = host.output().length
  host.process.kill('SIGUSR2')
  for (let tries = 0; tries < 60; tries++) {
    await sleep(50)
    const line = host
      .output()
      .slice(before)
      .split('\n')
      .find((each) => each.startsWith(pausesMark))
    if (line?.endsWith('}')) return JSON.parse(line.slice(pausesMark.length)) as Pauses
  }
  throw new Error('the host did not say how long its main thread stood still')
}
