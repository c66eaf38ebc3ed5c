import type { ItemKind } from '../../../../shared/model/library.ts'

/** Keys of the words for each kind of thing that is kept, in the order filters offer them. */
export const kindLabels = {
  conversation: 'chatList.kind',
  meeting: 'meeting.kind',
  recording: 'inspector.recording',
  document: 'document.kind',
  voice: 'voices.kind',
  speech: 'speech.kind',
  retrieval: 'library.kind.retrieval',
} as const satisfies Record<ItemKind, string>

/** Every kind, in that order. */
export const itemKinds = Object.keys(kindLabels) as ItemKind[]
