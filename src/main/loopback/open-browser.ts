import { spawn } from 'node:child_process'

/** The program and arguments that open an address in the user's browser; no shell reads them. */
export function browserCommand(
  platform: string,
  url: string,
): { readonly program: string; readonly args: readonly string[] } {
  if (platform === 'darwin') return { program: 'open', args: [url] }
  if (platform === 'win32')
    return { program: 'rundll32', args: ['url.dll,FileProtocolHandler', url] }
  return { program: 'xdg-open', args: [url] }
}

/** Opens an address in the user's browser; false when this computer has no way to. */
export function openBrowser(platform: string, url: string): Promise<boolean> {
  const { program, args } = browserCommand(platform, url)
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, shell: false })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
