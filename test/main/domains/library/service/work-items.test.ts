import { expect, test } from 'vitest'
import { items } from '../../../../../src/main/domains/library/service/work-list/work-items.ts'
import { aMeeting } from '../../audio/store/fixture.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'

test('lists imports without reading each meeting, and not those in Trash or held', async () => {
  const { home, remove } = temporaryHome()
  await withStore(home, (store) => {
    for (let n = 0; n < 300; n++)
      store.meetings.create(aMeeting(`m${n}`, { source: 'import', state: 'importing', at: n }))
    const error = { code: 'CANCELLED', message: '', retriable: false, at: 1 } as const
    store.meetings.update('m0', { error })
    store.items.remove(['m1'], 9)
    store.meetings.update('m2', { importProgress: 0.5 })
    store.meetings.putSummary('m3', {
      id: 'summary',
      templateId: 't',
      templateName: 'Minutes',
      state: 'running',
      points: [],
      engine: 'model',
      error: null,
      at: 1,
    })
    let reads = 0
    const get: typeof store.meetings.get = (id) => {
      reads += 1
      return store.meetings.get(id)
    }
    const rows = items({ ...store, meetings: { ...store.meetings, get } }, [])
    expect(reads).toBe(0)
    const meetings = rows.filter(({ kind }) => kind === 'meeting')
    expect(meetings).toHaveLength(200)
    expect(meetings[0]).toMatchObject({ id: 'm2', state: 'running', progress: 0.5 })
    expect(rows.filter(({ kind }) => kind === 'summary')).toMatchObject([
      { id: 'summary', placeId: 'm3' },
    ])
  })
  remove()
})
