import { execFileSync } from 'node:child_process'

interface Process {
  readonly pid: number
  readonly parent: number
  readonly kilobytes: number
  readonly command: string
}

/** Resident megabytes of the largest renderer of the browser that runs on this profile folder. */
export function rendererMegabytes(profile: string): number {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, kilobytes, command]): Process => ({
      pid: Number(pid),
      parent: Number(parent),
      kilobytes: Number(kilobytes),
      command: command ?? '',
    }))
  const ours = new Set(all.filter(({ command }) => command.includes(profile)).map(({ pid }) => pid))
  for (let grown = -1; grown !== ours.size;) {
    grown = ours.size
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid)
  }
  const renderers = all.filter(
    ({ pid, command }) => ours.has(pid) && command.includes('--type=renderer'),
  )
  if (renderers.length === 0) throw new Error('no renderer of the browser was found')
  return Math.max(...renderers.map(({ kilobytes }) => kilobytes)) / 1024
}

/** Resident megabytes of a process. */
export const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
