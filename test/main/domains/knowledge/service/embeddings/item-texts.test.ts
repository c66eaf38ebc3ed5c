import { expect, test } from 'vitest'
import { textsOfItem } from '../../../../../../src/main/domains/knowledge/service/embeddings/item-texts.ts'
import { aMessage, anEnd, begin, withChat } from '../../../chats/store/fixture.ts'

test('reads the complete text of a long answer', () =>
  withChat(async (store) => {
    store.chats.add(aMessage('q', null))
    begin(store, 'a', 'q')
    store.chats.savePart('a', { kind: 'text', start: 6, text: 'middle ' })
    store.chats.savePart('a', { kind: 'text', start: 13, text: 'zebrafinch' })
    store.chats.savePart('a', { kind: 'steps', start: 0, text: '[]' })
    store.chats.settle('a', anEnd('begin ', { shortened: { text: 23, steps: true } }))
    const texts: string[] = []
    for await (const { text, source } of textsOfItem(store, 'c', 100))
      texts.push(`${source?.partId}: ${text}`)
    expect(texts).toEqual(['q: text of q', 'a: begin', 'a: middle', 'a: zebrafinch'])
  }))
