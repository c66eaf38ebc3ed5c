/**
 * Days that what the service made is kept; what is older is removed with the next start. Responses: as the interface says
 * (service-notes 13). Links live as long as those of the interface's pictures (service-notes 9). For the rest the interface says
 * nothing; they are counted from their last turn.
 */
export const retentionDays = {
  responses: 7,
  links: 30,
  tasks: 30,
  /** Conversations with assistants. */
  conversations: 30,
  /** Sessions of agent chat, with what they found. */
  sessions: 30,
  /** Conversations with the slides agent. */
  slides: 30,
} as const
