import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SelfTestReport } from '../../src/shared/self-test/checks.ts'
import { checkIds, checks } from '../../src/shared/self-test/checks.ts'
import { openLectern, type Lectern } from './lectern.ts'

// Settings > About > Run self-test, in the built app: every check of the page and of the core really runs.

let lectern: Lectern
beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

test('checks this computer, shows each result, and saves a report without personal data', async () => {
  const { page, home } = lectern
  await page.goto(`${new URL(page.url()).origin}/#/settings/about`)
  await page.getByTestId('self-test-start').click()
  await page.getByTestId('self-test-stop').waitFor()
  await page.getByTestId('self-test-copy').waitFor({ timeout: 200_000 })
  const results = await Promise.all(
    checkIds.map(async (id) => {
      const row = page.getByTestId(`self-test-${id}`)
      return [id, await row.getAttribute('data-result'), await row.innerText()] as const
    }),
  )
  expect(results.filter(([, result]) => result === 'fail')).toEqual([])
  // All page checks run here except those that ask the user; features that a test machine may lack are no failures.
  const here = results.filter(([, result]) => result === 'pass').map(([id]) => id)
  const mayLack = ['computer-sound', 'microphone', 'keychain', 'print', 'updates']
  const wanted = checkIds.filter((id) => checks[id].place !== 'host' && !mayLack.includes(id))
  expect(wanted.filter((id) => !here.includes(id))).toEqual([])

  const { path } = await lectern.saved(() =>
    page.getByRole('button', { name: 'Save report' }).click(),
  )
  const text = await readFile(path, 'utf8')
  const report = JSON.parse(text) as SelfTestReport
  expect(report).toMatchObject({ format: 'lectern-self-test/1', complete: true, failed: 0 })
  expect(report.checks.map(({ id }) => id)).toEqual(checkIds)
  expect(text).not.toContain(home)
  await expect
    .poll(() =>
      page.evaluate(
        (url) => fetch(url).then((reply) => reply.status),
        `${lectern.mediaBase}self-test-x`,
      ),
    )
    .toBe(404)
})

test('stops immediately on request, and can run again', async () => {
  const { page } = lectern
  await page.getByTestId('self-test-start').click()
  await page.getByTestId('self-test-stop').click()
  await expect.poll(() => page.getByTestId('self-test-status').innerText()).toBe('Stopped')
  await page.getByTestId('self-test-start').waitFor()
})
