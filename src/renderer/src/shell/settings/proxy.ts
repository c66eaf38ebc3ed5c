import { isParsable } from '../../../../shared/provider/parsable.ts'

/** Options of the proxy setting in the form. */
export type ProxyChoice = 'system' | 'none' | 'own'

/** Returns the form's option for a stored proxy setting. */
export function proxyChoice(proxy: string): ProxyChoice {
  return proxy === 'system' || proxy === 'none' ? proxy : 'own'
}

/** Whether an address can be a proxy: http or https, without credentials (the bridge refuses anything else). */
export function proxyIsGood(url: string): boolean {
  return /^https?:\/\/[^\s@]+$/.test(url.trim()) && isParsable(url.trim())
}
