import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { errorReply, ServiceError } from '../errors.ts'
import { jsonReply, type ServiceReply } from '../http.ts'
import { parseFaultRule, type FaultRule } from './rules.ts'

/** Log entry of a received request, without header values, body or API key. */
interface LoggedCall {
  /** Unix milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: readonly string[]
  /** Bytes of the request body read so far. */
  bytes: number
  /** Status of the response; null while there is none, or if the connection broke first. */
  status: number | null
}

/** Control interface for tests: defines faults and returns the request log. */
interface Switchboard {
  /** Returns true for paths of the switchboard itself. */
  owns(path: string): boolean
  /**
   * `POST /__faults` adds one rule or a list, `GET` lists them, `DELETE` clears rules and log; `GET /__faults/log` returns
   * the log.
   */
  handle(incoming: IncomingMessage, path: string): Promise<ServiceReply>
  /**
   * Returns the first rule that matches this request and decrements its count; the header `x-fault` (a rule as JSON) takes
   * precedence.
   */
  take(incoming: IncomingMessage, path: string): FaultRule | undefined
  /** Logs a request and counts the bytes of its body as they are received. */
  note(incoming: IncomingMessage, path: string, query: string): LoggedCall
}

interface Entry {
  readonly rule: FaultRule
  left: number
}

const fits = ({ method, path }: FaultRule, given: string, at: string): boolean =>
  (method === undefined || method.toUpperCase() === given) &&
  (path === undefined ||
    path === at ||
    (path.endsWith('*') && at.startsWith(path.slice(0, path.length - 1))))

function parsed(text: string): readonly FaultRule[] {
  try {
    const value: unknown = JSON.parse(text)
    return (Array.isArray(value) ? value : [value]).map(parseFaultRule)
  } catch (error) {
    throw new ServiceError('badRequest', error instanceof Error ? error.message : 'Bad rule')
  }
}

/** Creates an empty switchboard. `clock` returns Unix milliseconds. */
export function createSwitchboard(clock: () => number): Switchboard {
  const entries: Entry[] = []
  const log: LoggedCall[] = []

  const answer = async (incoming: IncomingMessage, path: string): Promise<ServiceReply> => {
    const call = `${incoming.method} ${path}`
    if (call === 'GET /__faults/log') return jsonReply({ calls: log })
    if (call === 'POST /__faults') {
      const rules = parsed((await buffer(incoming)).toString('utf8'))
      entries.push(...rules.map((rule) => ({ rule, left: rule.times ?? Infinity })))
    } else if (call === 'DELETE /__faults') {
      entries.length = 0
      log.length = 0
    } else if (call !== 'GET /__faults') {
      throw new ServiceError('unknownPath', '404 NOT_FOUND')
    }
    return jsonReply({ rules: entries.filter(({ left }) => left > 0).map(({ rule }) => rule) })
  }

  return {
    owns: (path) => path === '/__faults' || path.startsWith('/__faults/'),
    handle: (incoming, path) =>
      answer(incoming, path).catch((error: unknown) => errorReply(error, path)),
    take(incoming, path) {
      const header = incoming.headers['x-fault']
      if (typeof header === 'string') return parsed(header)[0]
      const method = incoming.method ?? ''
      const entry = entries.find(({ rule, left }) => left > 0 && fits(rule, method, path))
      if (entry) entry.left--
      return entry?.rule
    },
    note(incoming, path, query) {
      const call: LoggedCall = {
        at: clock(),
        method: incoming.method ?? '',
        path,
        query,
        headers: Object.keys(incoming.headers),
        bytes: 0,
        status: null,
      }
      // Counts incoming bytes as they pass, so that nothing is read that the handler did not request.
      const push = incoming.push.bind(incoming)
      incoming.push = (chunk: Buffer | null, ...rest) => {
        call.bytes += chunk?.length ?? 0
        return push(chunk, ...rest)
      }
      log.push(call)
      return call
    },
  }
}
