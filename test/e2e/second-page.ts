import { enter, type BridgeClient } from '../fixtures/bridge-client.ts'
import { startHost } from '../fixtures/host-process.ts'
import { overElectron } from './lectern.ts'

/**
 * Opens a second page of the running host: a second start prints another launch URL and ends. Over Electron, uses its window's
 * routes.
 */
export async function secondPage(
  home: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BridgeClient> {
  if (overElectron) return (await import('../electron/lectern.ts')).bridgeOfWindow(home)
  const again = await startHost(home, env).catch((error: unknown) => String(error))
  const address =
    typeof again === 'string' ? /http:\/\/lectern-\S+\/launch\/\S+/.exec(again)?.[0] : null
  if (!address) throw new Error('a second start did not find the first')
  return enter(address)
}
