import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createPlacing } from '../../../../../src/main/domains/voices/service/speech/segment-positions.ts'
import { createTurns } from '../../../../../src/main/domains/voices/service/speech/serial-work.ts'
import type { SpeakingParts } from '../../../../../src/main/domains/voices/service/speech/types.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import { defaultSpeech } from '../../../../../src/shared/model/speech.ts'
import { storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'

test('a new text wins over the resumed placing of an interrupted one', async () => {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  onTestFinished(async () => {
    await store.close()
    remove()
  })
  const parts = { store, ids: randomUUID, clock: Date.now, activeAccountId: () => 'local' }
  const placing = createPlacing(parts as unknown as SpeakingParts)
  const inTurn = createTurns()
  for (const id of ['first', 'second']) {
    store.speech.create({ id, title: id, settings: defaultSpeech, at: 1 })
    store.speech.placing(id, `What ${id} was being given. It was cut off.`)
  }
  const resumed = placing.resume(inTurn)
  const given = inTurn('second', () => placing.place('second', 'Other words.'))
  await Promise.all([resumed, given])
  expect(await placing.textOf('first')).toBe('What first was being given. It was cut off.')
  expect(await placing.textOf('second')).toBe('Other words.')
  expect(store.speech.unplaced()).toEqual([])
})
