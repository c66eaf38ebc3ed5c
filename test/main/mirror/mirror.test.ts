import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMirror, type Fetch, type Mirror } from '../../../src/main/mirror/mirror.ts'
import { createConnection } from '../../../src/main/platform/database/connection.ts'

type Scope = readonly [account: string]

interface Setup {
  readonly mirror: Mirror<string, Scope>
  /** IDs that are not marked as gone, in their order. */
  present(): readonly string[]
  /** Marks one as deleted here. */
  remove(id: string): void
  close(): void
}

function setup(): Setup {
  const db = new Database(':memory:')
  db.exec('CREATE TABLE listed(id TEXT PRIMARY KEY, place INTEGER, gone INTEGER DEFAULT 0)')
  const connection = createConnection({ damage: () => undefined })
  connection.attach(db, true)
  const present = (): readonly string[] =>
    connection
      .all<{ readonly id: string }>('SELECT id FROM listed WHERE gone = 0 ORDER BY place')
      .map(({ id }) => id)
  const mark = (id: string): void =>
    void connection.run('UPDATE listed SET gone = 1 WHERE id = ?', id)
  const mirror = createMirror<string, Scope>(connection, {
    idOf: (id) => id,
    put(_, id, { place, moves }) {
      connection.run(
        `INSERT INTO listed(id, place) VALUES (?, ?)
         ON CONFLICT(id) DO UPDATE SET place = iif(?, excluded.place, place), gone = 0`,
        id,
        place,
        moves ? 1 : 0,
      )
    },
    firstPlace: () =>
      connection.get<{ readonly place: number | null }>('SELECT min(place) AS place FROM listed')
        ?.place ?? null,
    present,
    markGone: (_, id) => mark(id),
    setListedAt: () => undefined,
  })
  const remove = (id: string): void => mirror.change(scope, [id], undefined, mark)
  return { mirror, present, remove, close: () => db.close() }
}

const scope: Scope = ['account']
const whole = { whole: true }

test('keeps the order of a whole list, and puts new items of a partial one first', () => {
  const { mirror, present, close } = setup()
  mirror.save(scope, ['b', 'a'], 1, whole)
  mirror.save(scope, ['a', 'd', 'c'], 2, { whole: false })
  expect(present()).toEqual(['d', 'c', 'b', 'a'])
  expect(mirror.save(scope, ['a', 'c'], 3, whole)).toEqual(['d', 'b'])
  expect(present()).toEqual(['a', 'c'])
  close()
})

/** What happens here, elsewhere and at the provider; IDs are few, so that steps meet. */
const stepArbitrary = fc.oneof(
  fc.record({ type: fc.constantFrom('create', 'delete'), id: fc.integer({ min: 0, max: 3 }) }),
  // Another program changes the list.
  fc.record({ type: fc.constant('elsewhere'), id: fc.integer({ min: 4, max: 6 }) }),
  fc.record({ type: fc.constant('begin'), whole: fc.boolean() }),
  fc.record({ type: fc.constant('respond'), index: fc.nat(3) }),
)
const ownIds = (ids: Iterable<string>): ReadonlySet<string> =>
  new Set([...ids].filter((id) => Number(id) < 4))

test('loses nothing created here, brings back nothing deleted, and ends with the newest list, in any order of responses', () => {
  fc.assert(
    fc.property(fc.array(stepArbitrary, { maxLength: 40 }), (steps) => {
      const { mirror, present, remove, close } = setup()
      const provider = new Set<string>()
      const open: { readonly fetch: Fetch; readonly rows: string[]; readonly whole: boolean }[] = []
      // The oldest state that a response can show.
      const begin = (isWhole: boolean): void =>
        void open.push({ fetch: mirror.begin(), rows: [...provider], whole: isWhole })
      const respond = (index: number): void => {
        const [answered] = open.splice(index, 1)
        if (!answered) return
        mirror.save(scope, answered.rows, 1, answered)
        answered.fetch.end()
      }
      for (const step of steps) {
        if (step.type === 'begin' && 'whole' in step) begin(step.whole)
        if (step.type === 'respond' && 'index' in step) respond(step.index)
        if ('id' in step) {
          const id = String(step.id)
          const known = provider.has(id)
          if (step.type !== 'create' && known) provider.delete(id)
          if (step.type !== 'delete' && !known) provider.add(id)
          if (step.type === 'create') mirror.save(scope, [id], 1, { whole: false })
          if (step.type === 'delete' && known) remove(id)
        }
        expect(ownIds(present())).toEqual(ownIds(provider))
      }
      begin(true)
      while (open.length > 0) respond(0)
      expect(new Set(present())).toEqual(provider)
      close()
    }),
    { seed: 21, numRuns: 500 },
  )
})
