/** Part of a slides message (service-notes 10). */
export interface SlidesContent {
  readonly type: string
  readonly text: string | null
  readonly tagCn: string | null
  readonly tagEn: string | null
  readonly fileUrl: string | null
  readonly imageUrl: string | null
  /** The part as received: contains the tool objects of the stream. */
  readonly raw: unknown
}

/**
 * A conversation with the slides agent (service-notes 10); `message` and `messages`, single and several are parsed alike.
 */
export interface SlidesConversation {
  readonly conversationId: string
  readonly agentId: string
  readonly messages: readonly {
    readonly role: string
    /** `thinking`, `tool`, `answer` in the stream; null in the history. */
    readonly phase: string | null
    readonly content: readonly SlidesContent[]
  }[]
}
