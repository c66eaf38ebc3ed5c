/** Whether the app ends with its last window: everywhere but on macOS, where people expect it to stay. */
export const stopsWithLastWindow = (platform: string): boolean => platform !== 'darwin'

/** Waits for some work, but not longer than this; says whether it was done. A failure counts as done: there is nothing more to wait for. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const done = work.then(
    () => true,
    () => true,
  )
  const result = await Promise.race([done, late])
  clearTimeout(timer)
  return result
}
