import { inject, type InjectionKey } from 'vue'
import type { Client } from './client.ts'

/** Injection key of the app's only client. */
export const clientKey: InjectionKey<Client> = Symbol('client')

/** Returns the client, for stores and composables; throws if no app provides one. */
export function useClient(): Client {
  const client = inject(clientKey)
  if (!client) throw new Error('No client is provided')
  return client
}

/** Returns a caller-generated ID, for streams and cancelable calls: 32 characters of `0-9 a-z`. */
export function callerId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  let id = ''
  for (const byte of bytes) id += byte.toString(36).padStart(2, '0')
  return id
}
