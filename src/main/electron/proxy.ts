import { session } from 'electron'
import { proxyFromPac } from '../host-support/proxy.ts'

/** Returns the system's proxy for a URL, from Chromium. */
export async function systemProxy(url: string): Promise<string | null> {
  return proxyFromPac(await session.defaultSession.resolveProxy(url))
}
