import type { ItemKind } from '../../../../../shared/model/library.ts'

/** Message keys of each item kind, in the order of the filter. */
export const kindLabels = {
  conversation: 'chatList.kind',
  meeting: 'meeting.kind',
  recording: 'inspector.recording',
  document: 'document.kind',
  voice: 'voices.kind',
  speech: 'speech.kind',
  retrieval: 'library.kind.retrieval',
} as const satisfies Record<ItemKind, string>

/** All kinds, in that order. */
export const itemKinds = Object.keys(kindLabels) as ItemKind[]
