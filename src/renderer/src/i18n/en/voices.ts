/** Voices: the library of voices. */
export const voices = {
  voices: {
    title: 'Voices',
    kind: 'Voice',
    parts: 'Part of Voices',
    library: 'Library',
    booth: 'Clone',
    speak: 'Speak',
    search: 'Search voices',
    type: 'Kind of voice',
    all: 'All',
    mine: 'Mine',
    official: 'Official',
    none: 'No voices yet.',
    noneFound: 'No voice has a name like “{name}”.',
    asOf: 'As listed {time}',
    never: 'Never listed',
    gone: 'No longer at the service',
    refresh: 'Ask the service again',
    pick: 'Choose a voice to hear it.',
  },
}
