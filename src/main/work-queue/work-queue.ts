import type { Failure } from '../../shared/contract/reply.ts'
import type { Clock, Log } from '../deps.ts'
import { AppError, toFailure } from '../errors.ts'
import { isStoreProblem, persist } from '../platform/database/persist.ts'
import { createGate, type Closed, type Gate } from './account-gate.ts'
import { createConcurrencyLimit, type ConcurrencyLimit } from './concurrency-limit.ts'
import { isDue } from '../platform/database/due.ts'
import { affectsAccount, planPartRetry } from './retry-policy.ts'
import { waitBriefly } from './wait-briefly.ts'

/** What an execution revealed about the account, after its result was stored. */
export type Executed =
  | 'done'
  /** The provider responded, which says nothing about its limits. */
  | 'responded'
  /**
   * Nothing was learned about the account. The row is next again if it is due and its group is not paused: the next step of an
   * index follows one whose vectors were cached.
   */
  | 'unsent'

/** Why an item waits after a failure, and when it may be executed again. */
export interface Wait {
  /** `store`: the result could not be stored. */
  readonly why: 'offline' | 'account' | 'limited' | 'again' | 'store'
  /** Unix ms; null: as soon as its account accepts requests. */
  readonly at: number | null
}

/** Which items may be executed now. */
export interface Search {
  readonly accountId: string
  /** Current time (Unix ms). */
  readonly at: number
  /** IDs of items in flight. */
  readonly except: readonly string[]
  readonly exceptGroups: readonly string[]
}

/**
 * One kind of work: where its rows are, and how one of them is executed. The rows contain every state, so that a crash at any
 * moment loses nothing; the queue only knows what is in flight in this process. Methods that write may throw store errors;
 * `wait`, `fail` and `stopped` are repeated until the store accepts them, and must not assume that the row still exists.
 */
interface Work<Item> {
  /** One word for the log. */
  readonly about: string
  id(item: Item): string
  group(item: Item): string
  /**
   * Whether groups of equal priority take turns, so that a short one is not delayed by a long one: the one that has waited
   * longest is next. Otherwise the order of `next` counts.
   */
  readonly takesTurns: boolean
  /** Lower values first. */
  priority(item: Item): number
  /** Whether all items of an account use the same operation and model, so that a failure of these blocks them all. */
  readonly isOneOperation: boolean
  /** Nothing is sent: `accountId` names a lane of this kind of work and no account, and nothing closes it. */
  readonly isLocal?: true
  /** Whether the same request always has the same response, so that a wrong one is not requested again. */
  readonly isDeterministic?: boolean
  /** Accounts with items to execute. */
  accounts(): readonly string[]
  /** Maximum number of items in flight for an account. */
  size(accountId: string): number
  /** Returns the due item with the lowest priority value, by the order of the feature. */
  next(search: Search): Item | undefined
  /** When the next item that waits for a time is due (Unix ms). */
  nextTime(after: number): number | null
  /**
   * Executes an item and stores its result. A failure of the request is thrown. One of many requests calls `responded` for
   * their responses: otherwise a probe keeps its account closed to everything else until its end.
   */
  execute(item: Item, signal: AbortSignal, responded: () => void): Promise<Executed>
  /** Number of counted attempts, including the one that failed now. */
  attempts(item: Item): number
  /** Stores that an item waits. Only `again` counts as an attempt. */
  wait(item: Item, failure: Failure, wait: Wait): void | Promise<void>
  /** Stores that an item failed until the user retries it. */
  fail(item: Item, failure: Failure): void | Promise<void>
  /** Stores that an item was stopped without a result; not called for a shutdown, which the next start handles. */
  stopped(item: Item): void | Promise<void>
  /** Called when the status of an account may have changed. */
  onAccount?(accountId: string): void
  /** Called after each search for items to execute. */
  onSearched?(): void
}

/** Status of the work for an account. */
interface AccountStatus {
  readonly inFlight: number
  /** Maximum number in flight at present. */
  readonly places: number
  /** Whether nothing, or only a probe, is sent. */
  readonly closed: Closed | null
  /** When the next item may be sent (Unix ms); null: now, after the item in flight, or after the user fixed the account. */
  readonly nextAt: number | null
  /** The failure to show: the account or the connection to it; remains until the account responds. */
  readonly reason: Failure | null
}

/** Handle of one kind of work. */
export interface WorkHandle<Item> {
  /**
   * Searches for items to execute, soon: several calls result in one search. Nothing is executed before the first call,
   * whatever is woken.
   */
  kick(): void
  /** Called after an improvement or at the user’s request: what the account or the network blocked is probed now. */
  wake(accountId: string): void
  status(accountId: string): AccountStatus
  /** Accounts that cannot be reached without a network. */
  offline(): ReadonlySet<string>
  /** Starts nothing of this group until it is resumed. Items in flight continue. */
  pause(group: string): void
  /** Also drops the write of a `change` that the store has not accepted yet: the user wants the group to continue. */
  resume(group: string): void
  /**
   * Stores a state of a group in which nothing of it is in flight: pauses it, aborts what is in flight, writes, and resumes it.
   * Throws the error of the first write. After one of the store, the group stays paused and the write is repeated until the
   * store accepts it, or another change or `resume` of the group replaces it; after any other error, the group stays paused.
   */
  change(group: string, write: () => void | Promise<void>): Promise<void>
  /** Aborts these items; resolves when they have ended, or after a moment. */
  stop(which: (item: Item) => boolean): Promise<void>
  inFlight(): readonly Item[]
  busy(): boolean
  /** Aborts everything; resolves when nothing is in flight. */
  shutdown(): Promise<void>
}

interface WorkQueueDeps {
  readonly clock: Clock
  readonly log: Log
  random(): number
  /** Runs `work` after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void
}

/** Executes the work of all features: one circuit breaker for each account, and a limit for each account and kind. */
export interface WorkQueue {
  add<Item>(work: Work<Item>): WorkHandle<Item>
}

/** State of an account, shared by all kinds of work. */
interface Account {
  readonly gate: Gate
  reason: Failure | null
  inFlight: number
}

const newAccount = (clock: Clock): Account => ({
  gate: createGate(clock),
  reason: null,
  inFlight: 0,
})

/** State of one kind of work for one account. */
interface Lane {
  readonly accountId: string
  readonly account: Account
  /** Closed by failures of this kind of request only. */
  readonly gate: Gate
  readonly limit: ConcurrencyLimit
  reason: Failure | null
  inFlight: number
  /** Unix ms before which the provider wants no requests. */
  blockedUntil: number
  /** Number of consecutive rate limits. */
  refusals: number
  /** Groups that had a turn, by priority; the one that has waited longest for another comes first. */
  readonly served: Map<number, Set<string>>
}

interface Kind {
  search(): number | null
  onAccount(accountId: string): void
}

/** Maximum milliseconds added to a wait, so that items that failed together are not retried together. */
const jitterMs = 1_000
/** First and maximum pause after the store failed, in milliseconds. */
const problemMs = 1_000
const maxProblemMs = 60_000
/** Delay before a probe after an item failed permanently in a way that may be the provider’s, in milliseconds. */
const suspectMs = 2_000

export function createWorkQueue(deps: WorkQueueDeps): WorkQueue {
  const { clock } = deps
  const kinds = new Set<Kind>()
  const accounts = new Map<string, Account>()
  let isPlanned = false
  let cancelTimer: (() => void) | null = null

  const kick = (): void => {
    if (isPlanned) return
    isPlanned = true
    queueMicrotask(() => {
      isPlanned = false
      cancelTimer?.()
      cancelTimer = null
      const times = [...kinds].map((kind) => kind.search() ?? Infinity)
      const next = Math.min(Infinity, ...times)
      if (next !== Infinity) cancelTimer = deps.after(Math.max(0, next - clock()), kick)
    })
  }
  const accountOf = (accountId: string): Account => {
    const account = accounts.get(accountId) ?? newAccount(clock)
    accounts.set(accountId, account)
    return account
  }
  const accountChanged = (accountId: string): void => {
    for (const kind of kinds) kind.onAccount(accountId)
  }
  return { add: (work) => addWork(work, { ...deps, kinds, kick, accountOf, accountChanged }) }
}

interface Shared extends WorkQueueDeps {
  readonly kinds: Set<Kind>
  kick(): void
  accountOf(accountId: string): Account
  accountChanged(accountId: string): void
}

interface Begun<Item> {
  readonly item: Item
  readonly lane: Lane
  /** Whether it was sent to find out if the account accepts requests again, and has had no response yet. */
  isProbe: boolean
}

interface Running<Item> {
  readonly item: Item
  readonly lane: Lane
  readonly controller: AbortController
  readonly done: Promise<void>
}

function addWork<Item>(work: Work<Item>, shared: Shared): WorkHandle<Item> {
  const { clock, log } = shared
  const lanes = new Map<string, Lane>()
  const running = new Map<string, Running<Item>>()
  const paused = new Set<string>()
  /** The last `change` of each group, until its write is stored. */
  const changes = new Map<string, symbol>()
  /** Writes of changes that are being repeated. */
  const repeated = new Set<Promise<void>>()
  const closing = new AbortController()
  /** Rows of an earlier run may have to be repaired first: another kind of work must not start this one. */
  let isStarted = false
  /** Consecutive store failures, and when the next search may follow (Unix ms). */
  let problems = 0
  let restUntil = 0
  /**
   * Whether a result could not be stored, and none has been since. Until then only one item is in flight: what the disk has
   * no space for is paid for again.
   */
  let isUnsaved = false

  const laneOf = (accountId: string): Lane => {
    const known = lanes.get(accountId)
    if (known) return known
    const lane: Lane = {
      accountId,
      account: work.isLocal ? newAccount(clock) : shared.accountOf(accountId),
      gate: createGate(clock),
      limit: createConcurrencyLimit(clock),
      reason: null,
      inFlight: 0,
      blockedUntil: 0,
      refusals: 0,
      served: new Map(),
    }
    lanes.set(accountId, lane)
    return lane
  }

  const inFlight = (): readonly Item[] => [...running.values()].map(({ item }) => item)
  const kick = (): void => {
    isStarted = true
    shared.kick()
  }
  const rest = (): void => {
    restUntil = clock() + Math.min(problemMs * 2 ** problems, maxProblemMs)
    problems += 1
  }

  const search = (): number | null => {
    if (closing.signal.aborted || !isStarted) return null
    if (!isDue(restUntil, clock())) return restUntil
    try {
      const used = work.accounts().map(laneOf)
      for (const lane of used) fill(lane)
      for (const lane of lanes.values())
        if (lane.inFlight === 0 && !used.includes(lane)) lane.served.clear()
      const now = clock()
      const times = [work.nextTime(now), ...used.map((lane) => opensAt(lane, now))]
      work.onSearched?.()
      return times.reduce(
        (min, at) => (at === null || (min !== null && min <= at) ? min : at),
        null,
      )
    } catch (error) {
      if (!isStoreProblem(error)) log.error(`failed to search for a ${work.about}`, { error })
      rest()
      return restUntil
    }
  }

  /** Uses the free places of an account. */
  const fill = (lane: Lane): void => {
    while (lane.inFlight < lane.limit.places(work.size(lane.accountId))) {
      // Before the rows are read: most searches concern other accounts.
      if (!isDue(lane.blockedUntil, clock()) || isShut(lane)) return
      if (isUnsaved && running.size > 0) return
      const item = pick(lane)
      if (item === undefined && lane.inFlight === 0) lane.served.clear()
      if (item === undefined || !admits(lane)) return
      start(item, lane)
    }
  }

  /** Whether nothing may be sent now, not even a probe. */
  const isShut = ({ gate, account }: Lane): boolean =>
    [gate, account.gate].some(
      ({ closed, nextAt }) => closed !== null && (nextAt === null || !isDue(nextAt, clock())),
    )
  const admits = (lane: Lane): boolean => {
    if (!lane.gate.admits(lane.inFlight)) return false
    if (lane.account.gate.admits(lane.account.inFlight)) return true
    lane.gate.landed()
    return false
  }

  /** Returns the next item: those with the lowest priority value first, and among them the group that has waited longest. */
  const pick = (lane: Lane): Item | undefined => {
    const query = {
      accountId: lane.accountId,
      at: clock(),
      except: [...running.keys()],
      exceptGroups: [...paused],
    }
    const first = work.next(query)
    if (first === undefined) return first
    const priority = work.priority(first)
    const served = lane.served.get(priority)
    if (!work.takesTurns || !served?.has(work.group(first))) return first
    const other = work.next({ ...query, exceptGroups: [...paused, ...served] })
    if (other !== undefined && work.priority(other) <= priority) return other
    // All groups of this priority have had a turn. Those with nothing to execute or in flight don’t wait for another one.
    for (const group of served) {
      const others = [...served].filter((each) => each !== group)
      const next = work.next({ ...query, exceptGroups: [...paused, ...others] })
      if (next !== undefined && work.priority(next) <= priority) return next
      if (!inFlight().some((item) => work.group(item) === group)) served.delete(group)
    }
    return first
  }

  /** When a lane that accepts nothing now accepts items again (Unix ms); null if that does not depend on time. */
  const opensAt = ({ gate, account, blockedUntil }: Lane, now: number): number | null => {
    const opens = [gate, account.gate].map(({ closed, nextAt }) => (closed === null ? 0 : nextAt))
    if (opens.includes(null)) return null
    const waits = [blockedUntil, ...opens.map(Number)].filter((at) => !isDue(at, now))
    return waits.length === 0 ? null : Math.max(...waits)
  }

  const start = (item: Item, lane: Lane): void => {
    const id = work.id(item)
    const controller = new AbortController()
    const isProbe = lane.account.gate.closed !== null
    const priority = work.priority(item)
    if (work.takesTurns) {
      const served = lane.served.get(priority) ?? new Set()
      served.delete(work.group(item))
      lane.served.set(priority, served.add(work.group(item)))
    }
    lane.inFlight += 1
    lane.account.inFlight += 1
    // Registered before the first step runs, so that nothing is executed twice at the same time.
    const done = Promise.resolve()
      .then(() => run({ item, lane, isProbe }, controller.signal))
      .then(
        () => {
          problems = 0
          isUnsaved = false
        },
        (error: unknown) => {
          if (closing.signal.aborted) return
          if (!isStoreProblem(error)) log.error(`failed to finish a ${work.about}`, { error })
          rest()
        },
      )
      .then(() => {
        running.delete(id)
        lane.inFlight -= 1
        lane.account.inFlight -= 1
        lane.gate.landed()
        lane.account.gate.landed()
        shared.kick()
      })
    running.set(id, { item, lane, controller, done })
  }

  /** A listener that fails must not change the result of an item. */
  const onAccount = (accountId: string): void => {
    try {
      work.onAccount?.(accountId)
    } catch (error) {
      if (!isStoreProblem(error))
        log.error(`failed to report the status of an account to a ${work.about}`, { error })
    }
  }

  /** Writes until the store accepts it: otherwise nothing would process the row again before the next start. */
  const write = (save: () => void | Promise<void>): Promise<void> =>
    persist(save, closing.signal, ({ code }) =>
      log.warn(`failed to save a ${work.about}, will retry`, { code }),
    )

  const run = async (begun: Begun<Item>, signal: AbortSignal): Promise<void> => {
    const { item, lane } = begun
    try {
      const executed = await work.execute(item, signal, () => {
        begun.isProbe = false
        responded(lane)
      })
      if (executed === 'unsent') {
        if (signal.aborted && !closing.signal.aborted) await write(() => work.stopped(item))
        return
      }
      if (executed === 'done') {
        lane.refusals = 0
        lane.limit.succeeded()
      }
      responded(lane)
    } catch (error) {
      if (closing.signal.aborted) return
      if (signal.aborted) await write(() => work.stopped(item))
      else if (isStoreProblem(error)) {
        isUnsaved = true
        const failure = toFailure(error, clock())
        await write(() => work.wait(item, failure, { why: 'store', at: clock() }))
        throw error
      } else await failed(begun, error)
    }
  }

  const failed = async (begun: Begun<Item>, thrown: unknown): Promise<void> => {
    const { item, lane } = begun
    if (!(thrown instanceof AppError))
      log.error(`failed to execute a ${work.about}`, { error: thrown })
    const error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', 'Internal error')
    const failure = toFailure(error, clock())
    const next = planPartRetry(error, {
      attempts: work.attempts(item),
      offline: lane.account.gate.failures,
      limited: lane.refusals,
      isOneOperation: work.isOneOperation,
      isDeterministic: work.isDeterministic ?? false,
    })
    switch (next.type) {
      case 'failed':
        if (error.retriable) suspect(begun, suspectMs, failure)
        else if (error.service) responded(lane)
        return write(() => work.fail(item, failure))
      case 'offline':
      case 'account':
        close(lane, next.type, next.delayMs, failure)
        return write(() => work.wait(item, failure, { why: next.type, at: null }))
      case 'limited':
      case 'again': {
        const at = clock() + next.delayMs + Math.round(shared.random() * jitterMs)
        if (next.type === 'limited') responded(lane)
        else suspect(begun, next.delayMs, failure)
        // Overloaded: a failure like any other, with which the provider requests a lower rate.
        if (next.type === 'limited' || error.code === 'OVERLOADED') {
          if (lane.limit.limited()) lane.refusals += 1
          lane.blockedUntil = isDue(lane.blockedUntil, clock())
            ? at
            : Math.max(lane.blockedUntil, at)
        }
        return write(() => work.wait(item, failure, { why: next.type, at }))
      }
    }
  }

  /** Records that the account responds, with any result. */
  const responded = (lane: Lane): void => {
    const { account, gate } = lane
    const wasClosed = gate.opened()
    const wasAccountClosed = account.gate.opened()
    const had = lane.reason ?? account.reason
    lane.reason = null
    account.reason = null
    if (wasClosed || wasAccountClosed || had) {
      shared.accountChanged(lane.accountId)
      shared.kick()
    }
  }

  /** Records a failure that may be the item’s own. */
  const suspect = (
    { item, lane, isProbe }: Begun<Item>,
    delayMs: number,
    failure: Failure,
  ): void => {
    const { account, gate } = lane
    if (account.gate.closed === null) {
      gate.failed(work.id(item), delayMs, failure)
      if (gate.closed === 'failing') lane.reason = failure
    } else if (isProbe) {
      // It has reached the provider: the account is no longer the problem, its service is.
      account.gate.opened()
      account.reason = null
      gate.close('failing', delayMs, failure)
      if (gate.closed === 'failing') lane.reason = failure
      shared.accountChanged(lane.accountId)
    }
  }

  const close = (
    lane: Lane,
    why: 'offline' | 'account',
    delayMs: number | null,
    failure: Failure,
  ): void => {
    const isShared = why === 'offline' || affectsAccount(failure.code)
    const target = isShared ? lane.account : lane
    target.gate.close(why, delayMs, failure)
    // A rejected account stays rejected, whatever those in flight report.
    if (target.gate.closed === why) target.reason = failure
    if (isShared) shared.accountChanged(lane.accountId)
    else onAccount(lane.accountId)
  }

  const resume = (group: string): void => {
    changes.delete(group)
    paused.delete(group)
    shared.kick()
  }
  const stop = async (which: (item: Item) => boolean): Promise<void> => {
    const chosen = [...running.values()].filter(({ item }) => which(item))
    for (const { controller } of chosen) controller.abort()
    await waitBriefly(Promise.all(chosen.map(({ done }) => done)))
  }
  const change = async (group: string, save: () => void | Promise<void>): Promise<void> => {
    const id = Symbol(group)
    const isLast = (): boolean => changes.get(group) === id
    changes.set(group, id)
    paused.add(group)
    await stop((item) => work.group(item) === group)
    const saveIfLast = async (): Promise<void> => {
      if (isLast()) await save()
    }
    try {
      await saveIfLast()
    } catch (error) {
      if (isStoreProblem(error)) {
        const saved = write(saveIfLast)
          .then(() => void (isLast() && resume(group)))
          .catch((second: unknown) => {
            if (!closing.signal.aborted)
              log.error(`failed to change a ${work.about}`, { error: second })
          })
          .finally(() => repeated.delete(saved))
        repeated.add(saved)
      }
      throw error
    }
    if (isLast()) resume(group)
  }

  const kind: Kind = { search, onAccount }
  shared.kinds.add(kind)

  return {
    kick,
    wake(accountId) {
      const lane = laneOf(accountId)
      lane.gate.wake()
      lane.account.gate.wake()
      shared.kick()
    },
    status(accountId) {
      const lane = laneOf(accountId)
      return {
        inFlight: lane.inFlight,
        places: lane.limit.places(work.size(accountId)),
        closed: lane.account.gate.closed ?? lane.gate.closed,
        nextAt: opensAt(lane, clock()),
        reason: lane.account.reason ?? lane.reason,
      }
    },
    offline: () =>
      new Set(
        [...lanes.values()]
          .filter(({ account }) => account.gate.closed === 'offline')
          .map(({ accountId }) => accountId),
      ),
    pause: (group) => void paused.add(group),
    resume,
    change,
    stop,
    inFlight,
    busy: () => running.size > 0,
    async shutdown() {
      closing.abort()
      shared.kinds.delete(kind)
      for (const { controller } of running.values()) controller.abort()
      await Promise.all([...repeated, ...[...running.values()].map(({ done }) => done)])
      // Cancels the timer if nothing else needs it.
      shared.kick()
    },
  }
}
