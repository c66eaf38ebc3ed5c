import { textOf, type SeenRequest } from './documents-service.ts'

/** What a life of the app says of a version that is over. */
export interface Report {
  readonly state: string
  /** Requests the app counted. */
  readonly calls: number
  readonly pages: readonly number[]
  readonly texts: readonly (readonly [page: number, content: string])[]
}

/** One job from its first request to its end. */
export interface Job {
  readonly requests: readonly SeenRequest[]
  /** Pages that were stored when a life began, by its number. */
  readonly storedBefore: ReadonlyMap<number, ReadonlySet<number>>
  readonly report: Report
}

/** What a job's requests come to; parts are counted, each has `pagesAPart` pages at most. */
export interface Tally {
  readonly requests: number
  /** The service's own misfortunes. */
  readonly faults: number
  /** On their way, or answered and not yet stored, when the app was killed. */
  readonly lostToKills: number
  /** Those that brought what is stored. */
  readonly kept: number
}

const misfortunes: ReadonlySet<SeenRequest['outcome']> = new Set([
  'dropped',
  'stalled',
  'limited',
  'failed',
  'cut',
])

/**
 * Judges a job by what the service counted. Throws when a page is lost or stands twice, when a page was asked for that was stored
 * already, when a life asked again for what it had been answered, or when any request was neither kept, nor the service's own
 * misfortune, nor lost to a kill.
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
    kept: requests.length - faults - lostToKills,
  }
}

const same = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

function must(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}
