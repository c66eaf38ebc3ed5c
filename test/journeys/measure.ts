import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLectern } from '../e2e/lectern.ts'
import { secondPage } from '../e2e/second-page.ts'
import { startKeyringSession } from '../fixtures/keyring-session.ts'
import { startSpeakingService } from '../fixtures/speaking-service.ts'
import { startTestService } from '../local-service/fixtures/service.ts'
import type { PartResult } from './effort.ts'
import type { Journey, ProviderKind, Start } from './journey.ts'
import { Person } from './person.ts'

/** A provider on 127.0.0.1. */
interface Provider {
  readonly url: string
  readonly key: string
  stop(): Promise<void>
}

async function startProvider(kind: ProviderKind): Promise<Provider> {
  if (kind === 'engines') return startTestService()
  const { server } = await startSpeakingService()
  return { url: server.url, key: 'key-of-the-speech-provider', stop: () => server.close() }
}

/** Name of the account in use at the start. */
const accountName = 'Provider'

async function createAccount({ client, provider }: Start): Promise<void> {
  if (!provider) throw new Error('An account needs a provider')
  const { id } = await client.call('accounts.create', {
    preset: 'custom',
    name: accountName,
    baseUrl: provider.url,
  })
  await client.call('accounts.setKey', { id, key: provider.key })
  await client.call('accounts.activate', { id })
}

/**
 * Opens the app for a journey, prepares what it needs, and returns what each of its parts costs. With the keyboard alone, a focus
 * that is lost or invisible is an error.
 */
export async function measure(
  journey: Journey,
  { keyboardOnly = false } = {},
): Promise<readonly PartResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-journeys-'))
  const cleanUp: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const file = (name: string, bytes: Uint8Array): string => {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    return path
  }
  try {
    const keyring = await startKeyringSession()
    cleanUp.push(() => keyring.stop())
    const provider = journey.provider ? await startProvider(journey.provider) : null
    if (provider) cleanUp.push(() => provider.stop())
    const home = join(folder, 'data')
    mkdirSync(home)
    const lectern = await openLectern({
      home,
      env: keyring.env,
      ...(journey.microphone && { microphone: file('microphone.wav', journey.microphone()) }),
    })
    cleanUp.push(() => lectern.close())
    const client = await secondPage(home, keyring.env)
    cleanUp.push(() => client.close())
    const { page } = lectern
    const start: Start = { page, client, provider, file }
    await client.call('settings.update', { welcomed: true })
    if (journey.accountInUse) await createAccount(start)
    await journey.prepare?.(start)
    await page.evaluate(() => void (location.hash = '#/'))
    await page.reload()
    await page.getByRole('contentinfo').waitFor()
    await page.waitForLoadState('networkidle')
    const results: PartResult[] = []
    const problems: string[] = []
    for (const { name, goal, steps } of journey.parts) {
      const person = new Person(page, { keyboardOnly })
      await steps(person, start)
      problems.push(...person.problems.map((problem) => `${name}: ${problem}`))
      const { effort, appSeconds, steps: taken } = person
      results.push({ name, goal, effort, appSeconds, steps: taken })
    }
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return results
  } finally {
    for (const clean of cleanUp.toReversed()) await clean()
  }
}
