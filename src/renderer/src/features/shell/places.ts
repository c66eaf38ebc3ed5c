/** The places of the app as the rail shows them, from the top down: Ctrl or Cmd with the number of one opens it. */
export const places = [
  'chats',
  'recordings',
  'documents',
  'voices',
  'knowledge',
  'playground',
  'library',
  'activity',
] as const

/** One of {@link places}. */
export type Place = (typeof places)[number]

/** What is pressed to open a place. */
export const placeKey = (place: Place): string => `mod+${places.indexOf(place) + 1}`
