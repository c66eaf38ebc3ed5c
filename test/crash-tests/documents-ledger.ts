import { textOf, type SeenRequest } from './documents-service.ts'

/** Report of a run on a finished version. */
export interface Report {
  readonly state: string
  /** Number of requests counted by the app. */
  readonly calls: number
  readonly pages: readonly number[]
  readonly texts: readonly (readonly [page: number, content: string])[]
}

/** Job from its first request to its end. */
export interface Job {
  readonly requests: readonly SeenRequest[]
  /** Pages that were stored when a run began, by the number of the run. */
  readonly storedBefore: ReadonlyMap<number, ReadonlySet<number>>
  readonly report: Report
}

/** Totals of a job's requests; parts are counted, each has at most `pagesAPart` pages. */
export interface Tally {
  readonly requests: number
  /** Failures of the server itself. */
  readonly faults: number
  /** Requests in flight, or answered and not yet stored, when the app was killed. */
  readonly lostToKills: number
  /** Requests whose results are stored. */
  readonly stored: number
}

const misfortunes: ReadonlySet<SeenRequest['outcome']> = new Set([
  'dropped',
  'stalled',
  'limited',
  'failed',
  'cut',
])

/**
 * Checks a job against the requests counted by the server. Throws if a page is lost or duplicated, if a stored page was requested
 * again, if a run repeated a request that had been answered, or if a request was neither used, nor failed by the server, nor lost
 * to a kill.
 */
export function checkJob(count: number, job: Job): Tally {
  const { report, requests, storedBefore } = job
  const all = Array.from({ length: count }, (_, at) => at + 1)
  must(report.state === 'done', `the job ended as ${report.state}`)
  must(same(report.pages, all), `pages returned: ${report.pages.join()}`)
  const words = report.texts.map(([page, content]) => `${page} ${content}`)
  must(
    same(
      words,
      all.map((page) => `${page} ${textOf(page)}`),
    ),
    'a page lacks its words, or has them twice',
  )

  const end = new Set(report.pages)
  const lastLife = Math.max(...requests.map(({ life }) => life))
  const afterLife = (life: number): ReadonlySet<number> => {
    for (let next = life + 1; next <= lastLife; next++) {
      const pages = storedBefore.get(next)
      if (pages) return pages
    }
    return end
  }
  const savedCounts = new Map<number, number>()
  const answered = new Set<string>()
  let faults = 0
  let lostToKills = 0
  for (const { life, pages, outcome } of requests) {
    for (const page of pages)
      must(
        !storedBefore.get(life)?.has(page),
        `page ${page} was stored, and asked for again in life ${life}`,
      )
    if (misfortunes.has(outcome)) {
      faults += 1
      continue
    }
    for (const page of pages) {
      must(!answered.has(`${life} ${page}`), `life ${life} asked twice for page ${page}`)
      answered.add(`${life} ${page}`)
    }
    const isSaved = pages.every((page) => afterLife(life).has(page))
    if (isSaved) for (const page of pages) savedCounts.set(page, (savedCounts.get(page) ?? 0) + 1)
    else {
      must(life !== lastLife, `an answer of the last life was not kept: ${pages.join()}`)
      lostToKills += 1
    }
  }
  for (const page of all)
    must(savedCounts.get(page) === 1, `page ${page} was kept ${savedCounts.get(page) ?? 0} times`)
  return {
    requests: requests.length,
    faults,
    lostToKills,
    stored: requests.length - faults - lostToKills,
  }
}

const same = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

function must(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}
