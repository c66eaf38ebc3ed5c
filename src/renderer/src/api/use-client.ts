import { inject, type InjectionKey } from 'vue'
import type { Client } from './client.ts'

/** Where the app's one client is provided. */
export const clientKey: InjectionKey<Client> = Symbol('client')

/** The client, for stores and composables; throws where no app provides one. */
export function useClient(): Client {
  const client = inject(clientKey)
  if (!client) throw new Error('No client is provided')
  return client
}

/** An id of the caller's making, for streams and cancellable calls: 32 characters of `0-9 a-z`. */
export function callerId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  let id = ''
  for (const byte of bytes) id += byte.toString(36).padStart(2, '0')
  return id
}
