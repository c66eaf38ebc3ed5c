import { setTimeout as sleep } from 'node:timers/promises'
import type { HostProcess } from '../test/fixtures/host-process.ts'
import { pausesMark, type Pauses } from './meeting-3h/main-pauses.ts'

/** Environment of a host for {@link beginPauses} and {@link pausesOf}. */
export const watched = {
  NODE_OPTIONS: `--import=${new URL('./meeting-3h/main-pauses.ts', import.meta.url).href}`,
  LECTERN_BENCH_PAUSES: '1',
} as const

/** Starts measuring how long the host's main thread is blocked. */
export async function beginPauses(host: HostProcess): Promise<void> {
  host.process.kill('SIGUSR2')
  await sleep(100)
}

/**
 * Returns the pauses since the last call, or since measuring started. Throws if the host does not report them within three
 * seconds.
 */
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
