import { setTimeout as delay } from 'node:timers/promises'

/** Maximum time in milliseconds to wait for canceled work. */
const maxMs = 2_000
/** Maximum time in milliseconds to wait until work that writes rows has ended, and the interval of looking. */
const maxIdleMs = 5_000
const idlePollMs = 50

/** Waits briefly for canceled work: a store that rejects writes must not block the caller. */
export async function waitBriefly(work: Promise<unknown> | undefined): Promise<void> {
  if (!work) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, maxMs)))
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Waits until work that was stopped has ended, unless that takes long: a full disk or a slow host must not block the caller. */
export async function waitUntilIdle(isBusy: () => boolean): Promise<void> {
  for (let waitedMs = 0; isBusy() && waitedMs < maxIdleMs; waitedMs += idlePollMs)
    await delay(idlePollMs)
}
