import type { EmbeddingText } from '../../../../../shared/model/embeddings.ts'
import type { ItemSummary } from '../../../../../shared/model/library.ts'
import { splitIntoChunks } from '../../../../../shared/knowledge/embeddings/text-chunks.ts'
import { AppError } from '../../../../errors.ts'
import type { Store } from '../../../../library-database/store.ts'
import { createGivenTexts } from '../../../documents/index.ts'

/** Stores from which item texts are read. */
type ItemTextStore = Pick<Store, 'items' | 'documents' | 'chats' | 'meetings' | 'speech'>

/** Number of transcript lines joined before they are split into chunks. */
const linesAtOnce = 200

/**
 * Yields the text of an item in chunks up to an estimated number of tokens, with positions; yields to other work. Throws
 * NOT_FOUND.
 */
export async function* textsOfItem(
  store: ItemTextStore,
  itemId: string,
  tokens: number,
): AsyncGenerator<EmbeddingText> {
  const item = store.items.summary(itemId)
  if (!item) throw new AppError('NOT_FOUND', 'Item not found')
  for await (const { text, partId, page } of spansOf(store, item)) {
    for (const chunk of splitIntoChunks(text, tokens))
      yield {
        text: chunk,
        source: { itemId, kind: item.kind, title: item.title, partId, page },
      }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

interface TextSpan {
  readonly text: string
  readonly partId: string | null
  readonly page: number | null
}

async function* spansOf(store: ItemTextStore, { id, kind }: ItemSummary): AsyncGenerator<TextSpan> {
  if (kind === 'document') {
    const texts = createGivenTexts(store)
    for await (const { page, text } of texts.pages({ id, pages: '', pageMarks: false }))
      yield { text, page, partId: null }
  } else if (kind === 'conversation')
    for (const message of store.chats.branch(id)) {
      yield { text: message.text, partId: message.id, page: null }
      // The parts of a running answer are not complete.
      if (!message.shortened || message.state === 'running') continue
      for (const { kind: content, text } of store.chats.parts(message.id))
        if (content === 'text') yield { text, partId: message.id, page: null }
    }
  else if (kind === 'meeting')
    for (let from = 0; ; from += linesAtOnce) {
      const lines = store.meetings.lines(id, from, linesAtOnce)
      const [first] = lines
      if (!first) return
      yield { text: lines.map(({ text }) => text).join('\n\n'), partId: first.id, page: null }
    }
  else if (kind === 'speech')
    for (let from = 0; ; from += linesAtOnce) {
      const segments = store.speech.segments(id, from, linesAtOnce)
      for (const segment of segments) yield { text: segment.text, partId: segment.id, page: null }
      if (segments.length < linesAtOnce) return
    }
}
