import { readFileSync, readdirSync } from 'node:fs'

/** Returns the resident memory of a process in bytes. */
function resident(pid: number): number {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(found ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Returns the process and its utility processes, without the browser that shows the windows. */
function processes(pid: number): readonly number[] {
  const children = readdirSync('/proc').filter((name) => {
    try {
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      return (
        Number(parent) === pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('utility')
      )
    } catch {
      return false
    }
  })
  return [pid, ...children.map(Number)]
}

/**
 * Measures the memory of the app's own processes from now on; `peak` returns the growth of their sum over its start
 * value so far, in bytes, and `added` returns it at the end.
 */
export function memoryOf(pid: number): { peak(): number; added(): number; parts(): string } {
  const read = (): ReadonlyMap<number, number> =>
    new Map(processes(pid).map((each) => [each, resident(each)]))
  const sum = (map: ReadonlyMap<number, number>): number =>
    [...map.values()].reduce((total, each) => total + each, 0)
  const before = read()
  let peak = before
  const timer = setInterval(() => {
    const now = read()
    if (sum(now) > sum(peak)) peak = now
  }, 50)
  const rise = (): number => sum(peak) - sum(before)
  return {
    peak: rise,
    added() {
      clearInterval(timer)
      return rise()
    },
    parts: () =>
      [...peak]
        .map(([each, bytes]) => {
          const added = (bytes - (before.get(each) ?? 0)) / 2 ** 20
          return `${each === pid ? 'main' : 'core'} ${added.toFixed(1)} MB`
        })
        .join(', '),
  }
}
