// What other domains use of this one.

export type { Chats } from './service/chat-service-types.ts'
