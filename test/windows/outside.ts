import { execFile } from 'node:child_process'
import { readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

interface Request {
  readonly program: string
  readonly args: readonly string[]
  readonly input?: string | Uint8Array
}

/** Returns the text with Windows paths converted to Linux: Z: is the whole file system, C: a folder of Wine. */
export const onLinux = (text: string, prefix: string): string =>
  text.replaceAll(
    /\b([CZ]):((?:\\[^\\"'\s]+)+)/g,
    (_, drive: string, path: string) =>
      `${drive === 'C' ? `${prefix}/drive_c` : ''}${path.replaceAll('\\', '/')}`,
  )

/**
 * Runs the Linux programs that tests under Wine request with files in this folder: a `.request` written by wine.mjs is
 * answered with a `.reply`. Returns a function that stops it.
 */
export function runExternally(folder: string, prefix: string): () => void {
  const answer = (name: string): void => {
    const request = deserialize(readFileSync(join(folder, name))) as Request
    rmSync(join(folder, name))
    const args = request.args.map((arg) => onLinux(arg, prefix))
    const options = { encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 } as const
    const child = execFile(request.program, args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 127) : 0
      const reply = join(folder, name.replace(/request$/, 'reply'))
      writeFileSync(`${reply}.new`, serialize({ code, stdout, stderr }))
      renameSync(`${reply}.new`, reply)
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(request.input)
  }
  const watcher = watch(folder, (_, name) => {
    if (name?.endsWith('.request'))
      try {
        answer(name)
      } catch (error) {
        // Detected twice, or its worker has ended.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
  })
  return () => watcher.close()
}
