/** Maximum time in milliseconds to wait for canceled work. */
const maxMs = 2_000

/** Waits briefly for canceled work: a store that rejects writes must not block the caller. */
export async function waitBriefly(work: Promise<unknown> | undefined): Promise<void> {
  if (!work) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, maxMs)))
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
