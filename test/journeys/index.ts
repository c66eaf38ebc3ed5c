import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { PartResult } from './effort.ts'
import { journeys } from './journeys.ts'
import { comparisonTable, resultTable } from './report.ts'
import { measure } from './measure.ts'

/**
 * `npm run journeys` measures what twelve journeys cost a person in the built app, and prints a table. `--only NAME` (repeatable) measures some
 * of them, `--keyboard` uses no mouse, `--json FILE` saves the results, `--compare FILE` compares them with saved ones.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      keyboard: { type: 'boolean', default: false },
      json: { type: 'string' },
      compare: { type: 'string' },
    },
  })
  const chosen = values.only ?? journeys.map(({ name }) => name)
  const unknown = chosen.filter((name) => !journeys.some((journey) => journey.name === name))
  if (unknown.length > 0) {
    const all = journeys.map(({ name }) => name).join(', ')
    console.error(`No journey ${unknown.join(', ')}. Journeys: ${all}.`)
    return 1
  }
  const before = values.compare
    ? (JSON.parse(readFileSync(values.compare, 'utf8')) as readonly PartResult[])
    : null
  const results: PartResult[] = []
  let failed = 0
  for (const journey of journeys.filter(({ name }) => chosen.includes(name))) {
    console.error(`Measuring ${journey.name} ...`)
    try {
      results.push(...(await measure(journey, { keyboardOnly: values.keyboard })))
      if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
    } catch (error) {
      failed += 1
      console.error(`${journey.name} failed:`, error)
    }
  }
  console.log(before ? comparisonTable(before, results) : resultTable(results))
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
