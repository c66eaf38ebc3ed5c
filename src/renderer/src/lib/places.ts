/** Sections of the app in navigation order, top down: Ctrl/Cmd with the number of one opens it. */
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

/** Returns the shortcut that opens a section. */
export const placeKey = (place: Place): string => `mod+${places.indexOf(place) + 1}`
