/**
 * Retention periods in days of data created by the service; older data is removed at the next start. Responses: as the
 * API specifies (service-notes 13). Links: as long as those of the API's images (service-notes 9). The API specifies
 * nothing for the rest; their period starts with the last turn.
 */
export const retentionDays = {
  responses: 7,
  links: 30,
  tasks: 30,
  conversations: 30,
  /** Agent chat sessions, with their results. */
  sessions: 30,
  /** Slides agent conversations. */
  slides: 30,
} as const
