import { session } from 'electron'
import { proxyFromPac } from '../host-support/proxy.ts'

/** The system's proxy for an address, as the engine knows it. */
export async function systemProxy(url: string): Promise<string | null> {
  return proxyFromPac(await session.defaultSession.resolveProxy(url))
}
