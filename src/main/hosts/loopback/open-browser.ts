import { spawn } from 'node:child_process'
import { withoutSecrets } from '../../../system/own-process/env.ts'

/** Returns the program and arguments that open a URL or a file in the user's browser; no shell parses them. */
export function browserCommand(
  platform: string,
  target: string,
): { readonly program: string; readonly args: readonly string[] } {
  if (platform === 'darwin') return { program: 'open', args: [target] }
  if (platform === 'win32')
    return { program: 'rundll32', args: ['url.dll,FileProtocolHandler', target] }
  return { program: 'xdg-open', args: [target] }
}

/** Milliseconds after which an opener that is still running is the browser itself. */
const patience = 3000

/**
 * Opens a URL or a file in the user's browser; false if this computer cannot, or its opener failed. The target is visible in
 * the arguments to every user of this computer, so it must never contain a secret.
 */
export function openBrowser(platform: string, target: string): Promise<boolean> {
  const { program, args } = browserCommand(platform, target)
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: 'ignore',
      detached: true,
      shell: false,
      env: withoutSecrets(process.env),
    })
    const done = (opened: boolean): void => {
      clearTimeout(timer)
      child.unref()
      resolve(opened)
    }
    const timer = setTimeout(() => done(true), patience)
    child.once('error', () => done(false))
    child.once('exit', (code) => done(code === 0))
  })
}
