// What other domains use of this one's stores; workers load it without the services.

export { chunkCount, chunkOf, chunkStart } from './chats-chunks.ts'
export { conversationBriefOf } from './chats-conversation-rows.ts'
export { wholeText } from './chats-parts.ts'
export { rebuildMessages } from './chats-index.ts'
export { monthToken, responderToken, yearToken } from './chats-scope.ts'
export { ancestors } from './chats-traversal.ts'
export type { MessageQuery } from './chats-types.ts'
