import { enter, type BridgeClient } from '../fixtures/bridge-client.ts'
import { startHost } from '../fixtures/host-process.ts'

/** A second page of the running host: a second start on the same data prints another launch address and ends. */
export async function secondPage(
  home: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BridgeClient> {
  const again = await startHost(home, env).catch((error: unknown) => String(error))
  const address = typeof again === 'string' ? /http:\/\/127\S+\/launch\/\S+/.exec(again)?.[0] : null
  if (!address) throw new Error('a second start did not find the first')
  return enter(address)
}
