import { expect, test } from 'vitest'
import { codeOf } from '../../../platform/database/fixture.ts'
import {
  aPage,
  aPart,
  aReply,
  aVersion,
  failure,
  newDocument,
  parse,
  withLibrary,
} from './fixture.ts'

const none = {
  returned: [],
  failed: [],
  cancelled: [],
  waiting: [],
  stands: [],
  chosen: [],
  edited: [],
}

test('returns the pages of each version as ranges, newest first, with those it is current for', () =>
  withLibrary(async (store) => {
    const { documents } = store
    newDocument(store, 'd')
    expect(documents.coverage('d')).toEqual([])
    parse(store, 'd', 'v1', 1, [['a'], ['b'], ['c'], ['d'], ['e']])
    parse(store, 'd', 'v2', 2, [['B'], ['C']])
    expect(documents.coverage('d')).toEqual([
      {
        ...none,
        versionId: 'v2',
        returned: [{ first: 2, last: 3 }],
        stands: [{ first: 2, last: 3 }],
      },
      {
        ...none,
        versionId: 'v1',
        returned: [{ first: 1, last: 5 }],
        stands: [
          { first: 1, last: 1 },
          { first: 4, last: 5 },
        ],
      },
    ])
    documents.choose('d', [2], 'v1')
    const block = documents.blocks('d', { first: 2, last: 2 })[0]
    documents.edit('d', block?.id ?? '', 'own')
    expect(documents.coverage('d')).toMatchObject([
      { versionId: 'v2', stands: [{ first: 3, last: 3 }], chosen: [], edited: [] },
      {
        versionId: 'v1',
        returned: [{ first: 1, last: 5 }],
        stands: [
          { first: 1, last: 2 },
          { first: 4, last: 5 },
        ],
        chosen: [{ first: 2, last: 2 }],
        edited: [{ first: 2, last: 2 }],
      },
    ])
    expect(await codeOf(() => documents.coverage('other'))).toBe('NOT_FOUND')
  }))

test('distinguishes waiting, running, failed and stopped pages', () =>
  withLibrary((store) => {
    const { documents } = store
    newDocument(store, 'd')
    const parts = [aPart('p1', 1, 2), aPart('p2', 3, 4), aPart('p3', 5, 6)]
    documents.begin(aVersion('v', 'd', parts))
    documents.sent('p1')
    documents.reply('p1', aReply([aPage(1, 'one')]))
    documents.sent('p2')
    expect(documents.coverage('d')).toEqual([
      {
        ...none,
        versionId: 'v',
        returned: [{ first: 1, last: 1 }],
        failed: [{ first: 2, last: 2 }],
        waiting: [{ first: 3, last: 6 }],
        stands: [{ first: 1, last: 1 }],
      },
    ])
    documents.fail('p2', failure(), null)
    documents.cancel('v')
    expect(documents.coverage('d')).toMatchObject([
      { failed: [{ first: 2, last: 4 }], waiting: [], cancelled: [{ first: 5, last: 6 }] },
    ])
  }))
