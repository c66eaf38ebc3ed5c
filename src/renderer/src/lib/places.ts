/** Sections of the app in navigation order, top down. */
export const places = ['meetings', 'documents', 'chats', 'voices', 'library'] as const

/** Sections that are shown once developer tools are switched on. */
export const developerPlaces = ['playground', 'activity'] as const

/** One of {@link places} or {@link developerPlaces}. */
export type Place = (typeof places)[number] | (typeof developerPlaces)[number]

/** Returns the shortcut that opens a section: Ctrl/Cmd with its number. */
export const placeKey = (place: Place): string =>
  `mod+${[...places, ...developerPlaces].indexOf(place) + 1}`
