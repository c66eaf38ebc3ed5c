import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

interface Holder {
  readonly pid: number
  readonly socket: string
}

/** Data that a later launch sends to the first instance. */
export interface LaterLaunch {
  readonly argv: readonly string[]
  readonly folder: string
  readonly data: unknown
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Acquires the lock of a user data folder, like `app.requestSingleInstanceLock`
 * (`chrome/browser/process_singleton_posix.cc`): false when a running process has it, which is then notified of this
 * launch.
 */
export function acquireInstance(
  userData: string,
  launch: LaterLaunch,
  onLater: (launch: LaterLaunch) => void,
): boolean {
  mkdirSync(userData, { recursive: true })
  const file = join(userData, 'standin-instance.json')
  const socket = join(userData, `standin-${process.pid}.sock`)
  const holder = readHolder(file)
  if (holder && holder.pid !== process.pid && alive(holder.pid)) {
    // Synchronous like the API, so a child process connects to the socket.
    const program = `require('net').connect(${JSON.stringify(holder.socket)}).on('error', () => process.exit(1)).end(${JSON.stringify(JSON.stringify(launch))})`
    if (spawnSync(process.execPath, ['-e', program], { timeout: 20_000 }).status === 0) return false
  }
  rmSync(socket, { force: true })
  const server = createServer((connection) => {
    let text = ''
    connection.setEncoding('utf8')
    connection.on('data', (chunk: string) => (text += chunk))
    connection.on('end', () => onLater(JSON.parse(text) as LaterLaunch))
    connection.on('error', () => {})
  })
  server.listen(socket)
  server.unref()
  writeFileSync(file, JSON.stringify({ pid: process.pid, socket } satisfies Holder))
  process.on('exit', () => {
    rmSync(file, { force: true })
    rmSync(socket, { force: true })
  })
  return true
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return null
  }
}
