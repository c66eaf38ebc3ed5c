import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../../src/main/errors.ts'
import { isDue } from '../../../src/main/platform/database/due.ts'
import { affectsAccount } from '../../../src/main/work-queue/retry-policy.ts'
import { createWorkQueue, type WorkHandle } from '../../../src/main/work-queue/work-queue.ts'

// A model of rows, a provider and a process that may end at any write. Rows survive it, everything else does not.

const kinds = ['a', 'b'] as const
const accounts = ['x', 'y'] as const
const groups = ['one', 'two', 'three'] as const
const size = 3
const maxAttempts = 5

interface Row {
  readonly id: string
  readonly kind: string
  readonly group: string
  readonly accountId: string
  readonly priority: number
  state: 'queued' | 'sent' | 'done' | 'failed'
  attempts: number
  nextTryAt: number | null
  error: string | null
  timesSaved: number
}

const failures = {
  offline: () => new AppError('OFFLINE', '', { retriable: true, params: { reason: 'refused' } }),
  broken: () => new AppError('OFFLINE', '', { retriable: true, params: { reason: 'reset' } }),
  limited: () => new AppError('RATE_LIMITED', '', { retriable: true, retryAfterMs: 90_000 }),
  overloaded: () => new AppError('OVERLOADED', '', { retriable: true }),
  server: () => new AppError('SERVER_ERROR', '', { retriable: true, service: { status: 500 } }),
  key: () => new AppError('KEY_REJECTED', '', { service: { status: 401 } }),
  quota: () => new AppError('QUOTA_EXHAUSTED', ''),
  denied: () => new AppError('PERMISSION_DENIED', ''),
  invalid: () => new AppError('BAD_REQUEST', '', { service: { status: 400 } }),
  bug: () => new Error('a bug'),
} as const
type Outcome = 'done' | keyof typeof failures

/** Minimum milliseconds before a probe; null: only the user can fix it. */
const probeMs: Readonly<Partial<Record<Outcome, number | null>>> = {
  offline: 2_000,
  key: null,
  quota: 600_000,
  denied: 600_000,
}

type Command =
  | {
      readonly type: 'add'
      readonly kind: string
      readonly group: string
      readonly accountId: string
      readonly priority: number
      readonly count: number
    }
  | { readonly type: 'respond'; readonly index: number; readonly outcome: Outcome }
  | { readonly type: 'report'; readonly index: number }
  | { readonly type: 'advance' | 'setBack'; readonly ms: number }
  | { readonly type: 'crash' }
  | { readonly type: 'crashAt'; readonly writes: number; readonly isSaved: boolean }
  | { readonly type: 'disk'; readonly isFull: boolean }
  | { readonly type: 'pause' | 'resume' | 'stop'; readonly group: string }
  | { readonly type: 'wake'; readonly accountId: string }

const one = fc.constantFrom
const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('add' as const),
      kind: one(...kinds),
      group: one(...groups),
      accountId: one(...accounts),
      priority: one(0, 0, 1),
      count: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant('respond' as const),
      index: fc.nat(20),
      outcome: one<Outcome>('done', 'done', 'done', ...(Object.keys(failures) as Outcome[])),
    }),
  },
  fc.record({ type: fc.constant('report' as const), index: fc.nat(20) }),
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('advance' as const),
      ms: one(0, 1_000, 3_000, 15_000, 100_000, 700_000),
    }),
  },
  fc.record({ type: fc.constant('setBack' as const), ms: one(10_000_000, 30_000_000_000) }),
  fc.record({ type: fc.constant('crash' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('crashAt' as const),
      writes: fc.integer({ min: 1, max: 4 }),
      isSaved: fc.boolean(),
    }),
  },
  fc.record({ type: fc.constant('disk' as const), isFull: fc.boolean() }),
  fc.record({
    type: one('pause' as const, 'resume' as const, 'stop' as const),
    group: one(...groups),
  }),
  fc.record({ type: fc.constant('wake' as const), accountId: one(...accounts) }),
)

interface Block {
  /** Unix ms; null: until the user fixed it. */
  readonly until: number | null
  /** Whether only one request may follow; otherwise it is a rate limit. */
  readonly probes: boolean
  readonly outcome: Outcome
  readonly serial: number
}

interface Request {
  readonly row: Row
  readonly serial: number
  readonly settle: (outcome: Outcome) => void
  /** Reports a response of one of many requests. */
  readonly responded: () => void
}

/** One process: its queue, and whether it has ended. */
interface Life {
  ended: boolean
  readonly handles: Readonly<Record<string, WorkHandle<Row>>>
}

class World {
  readonly rows: Row[] = []
  readonly requests: Request[] = []
  readonly paused = new Set<string>()
  /** What may not be sent to, by account, or by kind and account. */
  readonly blocked = new Map<string, Block>()
  #serial = 0
  /** Starts of other groups while one waited, by kind, account and group. */
  readonly passed = new Map<string, number>()
  /** Kinds whose last result could not be stored. */
  readonly unsaved = new Set<string>()
  violation: unknown = null
  isFull = false
  crashIn: { writes: number; isSaved: boolean } | null = null
  #offset = 0
  life: Life = this.start()

  readonly clock = (): number => Date.now() + this.#offset
  setBack(ms: number): void {
    this.#offset -= ms
  }

  start(): Life {
    for (const row of this.rows) if (row.state === 'sent') row.state = 'queued'
    this.requests.length = 0
    this.paused.clear()
    this.blocked.clear()
    this.passed.clear()
    this.unsaved.clear()
    this.crashIn = null
    const life: { ended: boolean; handles: Record<string, WorkHandle<Row>> } = {
      ended: false,
      handles: {},
    }
    const queue = createWorkQueue({
      clock: () => this.clock(),
      log: { info() {}, warn() {}, error() {} },
      random: () => 0.5,
      after: (ms, work) => {
        const timer = setTimeout(() => life.ended || work(), Math.min(ms, 2 ** 31 - 1))
        return () => clearTimeout(timer)
      },
    })
    for (const kind of kinds) life.handles[kind] = this.add(queue, kind, life)
    for (const handle of Object.values(life.handles)) handle.kick()
    return life
  }

  private add(
    queue: ReturnType<typeof createWorkQueue>,
    kind: string,
    life: Life,
  ): WorkHandle<Row> {
    return queue.add<Row>({
      about: 'row',
      isOneOperation: true,
      id: ({ id }) => id,
      group: ({ group }) => group,
      takesTurns: true,
      priority: ({ priority }) => priority,
      accounts: () =>
        life.ended ? [] : [...new Set(this.waiting(kind).map(({ accountId }) => accountId))],
      size: () => size,
      next: ({ accountId, at, except, exceptGroups }) =>
        this.waiting(kind)
          .filter(
            (row) =>
              !life.ended &&
              row.accountId === accountId &&
              isDue(row.nextTryAt ?? 0, at) &&
              !except.includes(row.id) &&
              !exceptGroups.includes(row.group),
          )
          .toSorted((a, b) => a.priority - b.priority)[0],
      nextTime: (after) =>
        this.waiting(kind)
          .flatMap(({ nextTryAt }) => (nextTryAt !== null && nextTryAt > after ? [nextTryAt] : []))
          .toSorted((a, b) => a - b)[0] ?? null,
      execute: async (row, signal, responded) => {
        this.save(life, row, () => void (row.state = 'sent'))
        const outcome = await this.send(row, signal, responded, life)
        if (outcome !== 'done') throw failures[outcome]()
        this.save(life, row, () => {
          row.state = 'done'
          row.timesSaved += 1
          this.unsaved.delete(kind)
        })
        return 'done'
      },
      attempts: ({ attempts }) => attempts + 1,
      wait: (row, { code }, { why, at }) =>
        this.write(life, () => {
          row.state = 'queued'
          row.nextTryAt = at
          row.error = code
          if (why === 'again') row.attempts += 1
          if (why !== 'store') this.unsaved.delete(kind)
        }),
      fail: (row, { code }) =>
        this.write(life, () => {
          row.state = 'failed'
          row.error = code
          this.unsaved.delete(kind)
        }),
      stopped: (row) =>
        this.write(life, () => {
          row.state = 'queued'
          this.unsaved.delete(kind)
        }),
    })
  }

  waiting(kind: string): readonly Row[] {
    return this.rows.filter((row) => row.kind === kind && row.state === 'queued')
  }

  /** Writes to the store; the process may end before or after it. */
  write(life: Life, change: () => void): void {
    if (life.ended) throw new Error('The process has ended')
    if (this.isFull) throw new AppError('DISK_FULL', '')
    const { crashIn } = this
    if (crashIn) crashIn.writes -= 1
    const ends = crashIn?.writes === 0
    if (!ends || crashIn.isSaved) change()
    if (!ends) return
    life.ended = true
    throw new Error('The process has ended')
  }

  /** Writes what an execution has to store. */
  private save(life: Life, { kind }: Row, change: () => void): void {
    try {
      this.write(life, change)
    } catch (error) {
      if (this.isFull) this.unsaved.add(kind)
      throw error
    }
  }

  private send(row: Row, signal: AbortSignal, responded: () => void, life: Life): Promise<Outcome> {
    if (life.ended) return new Promise(() => {})
    // The queue treats what is thrown here as a failure of the item.
    try {
      this.check(row)
    } catch (error) {
      this.violation ??= error
    }
    return new Promise((resolve, reject) => {
      const request: Request = { row, serial: (this.#serial += 1), settle: resolve, responded }
      this.requests.push(request)
      signal.addEventListener('abort', () => {
        const at = this.requests.indexOf(request)
        if (at >= 0) this.requests.splice(at, 1)
        reject(new AppError('CANCELLED', ''))
      })
    })
  }

  /** The guarantees at the moment a request is sent. */
  private check(row: Row): void {
    const now = this.clock()
    const mine = this.requests.filter((other) => other.row.accountId === row.accountId)
    const same = mine.filter((other) => other.row.kind === row.kind)
    expect(this.paused.has(row.group), 'sent while paused').toBe(false)
    expect(row.timesSaved, 'executed after its result was saved').toBe(0)
    expect(
      mine.some((other) => other.row === row),
      'executed twice at a time',
    ).toBe(false)
    expect(same.length, 'more in flight than allowed').toBeLessThan(
      this.life?.handles[row.kind]?.status(row.accountId).places ?? size,
    )
    if (this.unsaved.has(row.kind))
      expect(
        this.requests.some((other) => other.row.kind === row.kind),
        'several sent although the last result could not be stored',
      ).toBe(false)
    for (const [name, inFlight] of [
      [row.accountId, mine],
      [`${row.kind} ${row.accountId}`, same],
    ] as const) {
      const block = this.blocked.get(name)
      if (!block) continue
      expect(block.until !== null && isDue(block.until, now), `sent while ${name} is blocked`).toBe(
        true,
      )
      if (block.probes) expect(inFlight, 'more than one probe').toHaveLength(0)
    }
    const others = this.waiting(row.kind).filter(
      (other) =>
        other.accountId === row.accountId &&
        !this.paused.has(other.group) &&
        isDue(other.nextTryAt ?? 0, now) &&
        !this.requests.some((request) => request.row === other),
    )
    expect(
      others.some(({ priority }) => priority < row.priority),
      'priority is ignored',
    ).toBe(false)
    for (const group of groups) {
      const name = `${row.kind} ${row.accountId} ${group}`
      const waits =
        group !== row.group && others.some((o) => o.group === group && o.priority === row.priority)
      const passed = waits ? (this.passed.get(name) ?? 0) + 1 : 0
      this.passed.set(name, passed)
      expect(passed, 'a group that waited longer was passed over').toBeLessThan(groups.length)
    }
  }

  private block(name: string, until: number | null, probes: boolean, outcome: Outcome): void {
    this.blocked.set(name, { until, probes, outcome, serial: (this.#serial += 1) })
  }

  /** Something improved: the network needs no probe, anything else may be probed at once. */
  wake(name: string): void {
    const block = this.blocked.get(name)
    if (block?.outcome === 'offline') this.blocked.delete(name)
    else if (block?.probes) this.block(name, this.clock(), true, block.outcome)
  }

  /** Nothing is blocked after a response, except for a rate limit. */
  private opened({ kind, accountId }: Row): void {
    for (const name of [accountId, `${kind} ${accountId}`])
      if (this.blocked.get(name)?.probes) this.blocked.delete(name)
  }

  /** The provider responds to a part of one request, which continues. */
  report(index: number): void {
    const request = this.requests[index % this.requests.length]
    if (!request) return
    this.opened(request.row)
    request.responded()
  }

  /** The provider responds to one request, and the model learns what the queue has to respect. */
  respond(index: number, outcome: Outcome): void {
    const [request] = this.requests.splice(index % this.requests.length, 1)
    if (!request) return
    const { kind, accountId } = request.row
    const lane = `${kind} ${accountId}`
    const isUnsaved = this.isFull && outcome === 'done'
    const delay = probeMs[outcome]
    if (delay !== undefined) {
      const error = failures[outcome as keyof typeof failures]()
      const isShared =
        error instanceof AppError && (outcome === 'offline' || affectsAccount(error.code))
      const name = isShared ? accountId : lane
      const until = delay === null ? null : this.clock() + delay
      const block = this.blocked.get(name)
      // Those that were in flight when the first one failed belong to the same outage.
      const isSame = block?.probes && request.serial < block.serial
      if (!isSame || (block.outcome === 'offline' && outcome !== 'offline'))
        this.block(name, until, true, outcome)
    } else if (isUnsaved) {
      // Nothing is known about the account until the result is saved.
    } else if (['done', 'invalid', 'limited'].includes(outcome)) {
      this.opened(request.row)
      if (outcome === 'limited') this.block(lane, this.clock() + 90_000, false, outcome)
    } else
      for (const name of [accountId, lane])
        if (request.serial > (this.blocked.get(name)?.serial ?? Infinity)) this.blocked.delete(name)
    request.settle(outcome)
  }

  /** Every due row is in flight, or there is a reason why not. */
  checkReasons(): void {
    const now = this.clock()
    if (this.isFull) return
    for (const kind of kinds)
      for (const accountId of accounts) {
        const handle = this.life.handles[kind]
        const status = handle?.status(accountId)
        const idle = this.waiting(kind).filter(
          (row) =>
            row.accountId === accountId &&
            !this.paused.has(row.group) &&
            !handle?.inFlight().includes(row) &&
            isDue(row.nextTryAt ?? 0, now),
        )
        if (!status || idle.length === 0) continue
        const isFull = status.inFlight >= status.places
        // A probe, or one whose result can't be stored yet.
        const probes = Object.values(this.life.handles).some((each) =>
          each.inFlight().some((row) => row.accountId === accountId),
        )
        const isFixedByUser = [accountId, `${kind} ${accountId}`].some(
          (name) => this.blocked.get(name)?.until === null,
        )
        const mayRest = this.rows.some(({ error }) => error === 'DISK_FULL')
        // One that has its response waits until that can be stored: nothing else is sent before.
        const isUnsaved = handle
          ?.inFlight()
          .some((row) => !this.requests.some((request) => request.row === row))
        expect(
          isFull ||
            status.nextAt !== null ||
            (status.closed && probes) ||
            isFixedByUser ||
            mayRest ||
            isUnsaved,
          'waits without a reason',
        ).toBeTruthy()
        const isBlocked = this.blocked.has(accountId) || this.blocked.has(`${kind} ${accountId}`)
        if (status.closed === 'account') expect(isBlocked, 'blocked by another kind').toBe(true)
      }
  }
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

async function apply(world: World, command: Command): Promise<void> {
  const { handles } = world.life
  const each = Object.values(handles)
  switch (command.type) {
    case 'add': {
      const { kind, group, accountId, priority, count } = command
      for (let n = 0; n < count; n++)
        world.rows.push({
          id: `row-${world.rows.length}`,
          kind,
          group,
          accountId,
          priority,
          state: 'queued',
          attempts: 0,
          nextTryAt: null,
          error: null,
          timesSaved: 0,
        })
      handles[kind]?.kick()
      break
    }
    case 'respond':
      if (world.requests.length > 0) world.respond(command.index, command.outcome)
      break
    case 'report':
      if (world.requests.length > 0) world.report(command.index)
      break
    case 'advance':
      await vi.advanceTimersByTimeAsync(command.ms)
      break
    case 'setBack':
      world.setBack(command.ms)
      // The timer that was planned before still runs.
      await vi.advanceTimersByTimeAsync(700_000)
      break
    case 'crash':
      world.life.ended = true
      break
    case 'crashAt':
      world.crashIn = { writes: command.writes, isSaved: command.isSaved }
      break
    case 'disk':
      world.isFull = command.isFull
      break
    case 'pause':
      world.paused.add(command.group)
      for (const handle of each) handle.pause(command.group)
      break
    case 'resume':
      world.paused.delete(command.group)
      for (const handle of each) handle.resume(command.group)
      break
    case 'stop':
      for (const handle of each) void handle.stop(({ group }) => group === command.group)
      break
    case 'wake':
      world.wake(command.accountId)
      for (const kind of kinds) world.wake(`${kind} ${command.accountId}`)
      for (const handle of each) handle.wake(command.accountId)
      break
  }
  await settle()
  if (world.life.ended) {
    world.life = world.start()
    await settle()
  }
  if (world.violation !== null)
    throw new Error('The queue broke a guarantee', { cause: world.violation })
  world.checkReasons()
}

/** Everything works again: all rows must end. */
async function heal(world: World): Promise<void> {
  world.isFull = false
  world.crashIn = null
  for (const group of groups) await apply(world, { type: 'resume', group })
  for (const accountId of accounts) await apply(world, { type: 'wake', accountId })
  const isOpen = (): boolean =>
    world.rows.some(({ state }) => state === 'queued' || state === 'sent')
  for (let n = 0; n < 200 && isOpen(); n++) {
    while (world.requests.length > 0)
      await apply(world, { type: 'respond', index: 0, outcome: 'done' })
    await apply(world, { type: 'advance', ms: 700_000 })
  }
}

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date'],
      now: 1_800_000_000_000,
    }),
)
afterEach(() => void vi.useRealTimers())

test('loses, repeats and starves nothing, whatever fails and whenever the process ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { maxLength: 60 }), async (list) => {
      const world = new World()
      for (const command of list) await apply(world, command)
      await heal(world)
      for (const row of world.rows) {
        expect(['done', 'failed']).toContain(row.state)
        expect(row.timesSaved).toBe(row.state === 'done' ? 1 : 0)
        if (row.state === 'failed')
          expect(
            row.error === 'BAD_REQUEST' ||
              row.error === 'INTERNAL' ||
              row.attempts + 1 >= maxAttempts,
          ).toBe(true)
      }
      world.life.ended = true
      vi.clearAllTimers()
    }),
    {
      seed: 20_261_129,
      numRuns: 600,
      interruptAfterTimeLimit: 30_000,
      markInterruptAsFailure: false,
    },
  )
})

test('a short piece of work takes turns with a long one, at its priority', async () => {
  const world = new World()
  const order: string[] = []
  const add = (group: string, count: number, priority = 0) =>
    apply(world, { type: 'add', kind: 'a', accountId: 'x', group, count, priority })
  await add('one', 9)
  await add('two', 2)
  await add('three', 4, 1)
  await apply(world, { type: 'disk', isFull: false })
  while (world.requests.length > 0) {
    order.push(world.requests[0]?.row.group ?? '')
    await apply(world, { type: 'respond', index: 0, outcome: 'done' })
  }
  expect(order.join(' ')).toBe(
    'one one one two one two one one one one one three three three three',
  )
})

test('the group that has waited longest is next, in whatever order they were added', async () => {
  const world = new World()
  const add = (group: string, count: number) =>
    apply(world, { type: 'add', kind: 'a', accountId: 'x', group, count, priority: 0 })
  await apply(world, { type: 'pause', group: 'one' })
  await add('one', 3)
  await add('two', 6)
  await apply(world, { type: 'resume', group: 'one' })
  const order: string[] = []
  while (world.requests.length > 0) {
    order.push(world.requests[0]?.row.group ?? '')
    await apply(world, { type: 'respond', index: 0, outcome: 'done' })
  }
  expect(order.join(' ')).toBe('two two two one two one two one two')
})

test('halves what is in flight after a rate limit, and waits as long as it requests', async () => {
  const world = new World()
  await apply(world, {
    type: 'add',
    kind: 'a',
    group: 'one',
    accountId: 'x',
    priority: 0,
    count: 9,
  })
  expect(world.requests).toHaveLength(size)
  await apply(world, { type: 'respond', index: 0, outcome: 'limited' })
  while (world.requests.length > 0)
    await apply(world, { type: 'respond', index: 0, outcome: 'done' })
  const status = world.life.handles['a']?.status('x')
  expect(status).toMatchObject({ inFlight: 0, places: 1, closed: null, reason: null })
  expect(status?.nextAt).toBe(world.clock() + 90_500)
  await vi.advanceTimersByTimeAsync(90_499)
  expect(world.requests).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(world.requests).toHaveLength(1)
})

test('a missing permission blocks its kind only, a rejected key every kind, and a stopped probe neither', async () => {
  const world = new World()
  const add = (kind: string, count: number) =>
    apply(world, { type: 'add', kind, group: 'one', accountId: 'x', priority: 0, count })
  const inFlight = (): string => world.requests.map(({ row }) => row.kind).join('')
  await add('a', 1)
  await apply(world, { type: 'respond', index: 0, outcome: 'denied' })
  await add('b', 1)
  expect(inFlight()).toBe('b')
  await apply(world, { type: 'respond', index: 0, outcome: 'key' })
  await add('a', 2)
  await apply(world, { type: 'advance', ms: 700_000 })
  expect(inFlight()).toBe('')
  await apply(world, { type: 'wake', accountId: 'x' })
  expect(inFlight()).toHaveLength(1)
  await apply(world, { type: 'stop', group: 'one' })
  expect(inFlight()).toHaveLength(1)
  await apply(world, { type: 'respond', index: 0, outcome: 'done' })
  expect(inFlight()).toHaveLength(3)
})

test('the first response to a probe of many requests opens its account for everything', async () => {
  const world = new World()
  const add = (kind: string) =>
    apply(world, { type: 'add', kind, group: 'one', accountId: 'x', priority: 0, count: 1 })
  const inFlight = (): string => world.requests.map(({ row }) => row.kind).join('')
  await add('a')
  await apply(world, { type: 'respond', index: 0, outcome: 'offline' })
  await add('b')
  await apply(world, { type: 'advance', ms: 3_000 })
  expect(inFlight()).toBe('a')
  await apply(world, { type: 'report', index: 0 })
  expect(inFlight()).toBe('ab')
  // It is no longer a probe: its failure does not open what another one closed.
  await apply(world, { type: 'respond', index: 1, outcome: 'key' })
  await apply(world, { type: 'respond', index: 0, outcome: 'server' })
  await apply(world, { type: 'advance', ms: 700_000 })
  expect(inFlight()).toBe('')
})

test('a change that can’t be stored keeps its group paused until it is stored', async () => {
  const world = new World()
  const handle = world.life.handles['a']
  const add = (group: string) =>
    apply(world, { type: 'add', kind: 'a', group, accountId: 'x', priority: 0, count: 2 })
  const inFlight = (): string[] => world.requests.map(({ row }) => row.group)
  const fail = (group: string): boolean =>
    world.write(world.life, () => {
      for (const row of world.rows) if (row.group === group) row.state = 'failed'
    }) === undefined
  await add('one')
  world.isFull = true
  const states: unknown[] = []
  const changed = handle?.change('one', () => {
    states.push(inFlight())
    fail('one')
  })
  await Promise.all([
    expect(changed).rejects.toThrow(AppError),
    vi.advanceTimersByTimeAsync(30_000),
  ])
  expect(inFlight()).toEqual([])
  world.isFull = false
  await vi.advanceTimersByTimeAsync(30_000)
  expect(world.rows.map(({ state }) => state)).toEqual(['failed', 'failed'])
  expect(states[0]).toEqual([])
  // The group is no longer paused.
  await add('one')
  expect(inFlight()).toEqual(['one', 'one'])
})

test('a later change or a resumption replaces a change that can’t be stored yet', async () => {
  const world = new World()
  const handle = world.life.handles['a']
  const written: string[] = []
  const change = (name: string): Promise<void> | undefined =>
    handle?.change('one', () => world.write(world.life, () => void written.push(name)))
  world.isFull = true
  await expect(change('paused')).rejects.toThrow(AppError)
  await expect(change('stopped')).rejects.toThrow(AppError)
  world.isFull = false
  await vi.advanceTimersByTimeAsync(30_000)
  expect(written).toEqual(['stopped'])
  world.isFull = true
  await expect(change('paused')).rejects.toThrow(AppError)
  world.isFull = false
  handle?.resume('one')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(written).toEqual(['stopped'])
})

test('starts nothing of a kind before its first search, whatever is woken and whatever else runs', async () => {
  const queue = createWorkQueue({
    clock: Date.now,
    log: { info() {}, warn() {}, error() {} },
    random: () => 0,
    after: () => () => {},
  })
  const executed: string[] = []
  const add = (kind: string) =>
    queue.add<string>({
      about: 'row',
      isOneOperation: true,
      id: (item) => item,
      group: (item) => item,
      takesTurns: false,
      priority: () => 0,
      accounts: () => ['x'],
      size: () => 1,
      next: ({ except }) => (except.length > 0 || executed.includes(kind) ? undefined : kind),
      nextTime: () => null,
      execute: async (item) => {
        executed.push(item)
        return 'done'
      },
      attempts: () => 1,
      wait() {},
      fail() {},
      stopped() {},
    })
  const [a, b] = [add('a'), add('b')]
  a.wake('x')
  b.kick()
  await settle()
  expect(executed).toEqual(['b'])
  a.kick()
  await settle()
  expect(executed).toEqual(['b', 'a'])
})
